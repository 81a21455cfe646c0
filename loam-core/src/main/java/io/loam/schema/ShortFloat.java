package io.loam.schema;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;

/** Floats as decimal text and back. */
final class ShortFloat {
  private ShortFloat() {}

  /**
   * The shortest decimal that reads back as the same float; {@code Float.toString} of Java before
   * 19 is sometimes longer.
   */
  static String format(float value) {
    if (value == (int) value && Math.abs(value) < 1 << 24 && !isNegativeZero(value)) {
      return Integer.toString((int) value);
    }
    String text = Float.toString(value);
    if (value == 0) {
      return text;
    }
    BigDecimal decimal = new BigDecimal(text);
    while (decimal.precision() > 1) {
      BigDecimal shorter = decimal.round(new MathContext(decimal.precision() - 1));
      if (shorter.floatValue() != value) {
        break;
      }
      decimal = shorter;
    }
    return decimal.toString();
  }

  /** The float of a decimal number; infinite past the range, nothing for other text. */
  static Optional<Float> parse(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // Float.parseFloat also takes NaN, Infinity, hexadecimal and type suffixes.
      if ((c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E') {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(Float.parseFloat(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static boolean isNegativeZero(float value) {
    return value == 0 && Float.floatToRawIntBits(value) != 0;
  }
}
