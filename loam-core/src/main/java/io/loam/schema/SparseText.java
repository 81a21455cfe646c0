package io.loam.schema;

/** Sparse vectors as text. */
@SuppressWarnings("DoNotCallSuggester")
public final class SparseText {
  private SparseText() {}

  public static SparseVector parse(String text) {
    throw new UnsupportedOperationException();
  }

  public static String format(SparseVector vector) {
    throw new UnsupportedOperationException();
  }
}
