package io.loam.schema;

/** Vectors as text. */
@SuppressWarnings("DoNotCallSuggester")
public final class VectorText {
  private VectorText() {}

  public static float[] parse(String text) {
    throw new UnsupportedOperationException();
  }

  public static String format(float[] vector) {
    throw new UnsupportedOperationException();
  }
}
