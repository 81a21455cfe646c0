package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.List;
import java.util.Map;

/**
 * The free parameters of BM25 for a {@code TEXT} field.
 *
 * @param k1 how much more repeated words count, 0 or more
 * @param b how much longer texts count less, 0 to 1
 */
public record TextScoring(double k1, double b) {
  public static final TextScoring DEFAULT = new TextScoring(1.2, 0.75);

  /** What the options of a field begin with; its folded name follows. */
  public static final List<String> OPTIONS = List.of("k1.", "b.");

  private static final double GREATEST_K1 = 1_000;

  /** What the options say of a field, or the defaults. Fails with {@code INVALID_SCHEMA}. */
  static TextScoring of(Map<String, String> options, String foldedName) {
    return new TextScoring(
        number(options, "k1." + foldedName, DEFAULT.k1, GREATEST_K1),
        number(options, "b." + foldedName, DEFAULT.b, 1));
  }

  private static double number(
      Map<String, String> options, String option, double otherwise, double most) {
    String text = options.get(option);
    if (text == null) {
      return otherwise;
    }
    double value;
    try {
      value = Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if (value >= 0 && value <= most) {
      return value;
    }
    throw new LoamException(
        ErrorCode.INVALID_SCHEMA,
        "option out of range: option=%s, value=%s; use a number from 0 to %.0f"
            .formatted(option, text, most));
  }
}
