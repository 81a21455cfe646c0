package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;

/** Dense vectors as text: {@code [0.1,0.2]}, with white space allowed around components. */
public final class VectorText {
  private VectorText() {}

  /**
   * Reads a vector. Fails with {@code INVALID_TEXT} for other text, and {@code OUT_OF_RANGE} for a
   * component that is no finite float.
   */
  public static float[] parse(String text) {
    return parse(text, "");
  }

  /** Likewise; {@code owner} stands before the values in messages. */
  static float[] parse(String text, String owner) {
    String trimmed = text.strip();
    if (trimmed.length() < 2
        || trimmed.charAt(0) != '['
        || trimmed.charAt(trimmed.length() - 1) != ']') {
      throw invalid(text, owner);
    }
    String inside = trimmed.substring(1, trimmed.length() - 1);
    if (inside.isBlank()) {
      return new float[0];
    }
    int components = 1 + (int) inside.chars().filter(c -> c == ',').count();
    float[] vector = new float[components];
    int start = 0;
    for (int i = 0; i < components; i++) {
      int comma = inside.indexOf(',', start);
      int end = comma < 0 ? inside.length() : comma;
      vector[i] = component(inside.substring(start, end).strip(), text, owner);
      start = end + 1;
    }
    return vector;
  }

  /** Writes the shortest decimals that {@link #parse} reads back to the same floats. */
  public static String format(float[] vector) {
    StringBuilder text = new StringBuilder(2 + vector.length * 12).append('[');
    for (int i = 0; i < vector.length; i++) {
      text.append(i == 0 ? "" : ",").append(ShortFloat.format(vector[i]));
    }
    return text.append(']').toString();
  }

  private static float component(String number, String text, String owner) {
    float value = ShortFloat.parse(number).orElseThrow(() -> invalid(text, owner));
    if (!Float.isFinite(value)) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "vector component is no finite float: "
              + owner
              + "value="
              + number
              + "; use finite numbers");
    }
    return value;
  }

  private static LoamException invalid(String text, String owner) {
    return new LoamException(
        ErrorCode.INVALID_TEXT,
        "not a vector: %svalue=%s; write numbers like [0.1,0.2]"
            .formatted(owner, ValueErrors.shown(text)));
  }
}
