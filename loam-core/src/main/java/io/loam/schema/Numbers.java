package io.loam.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Values of numeric columns. */
final class Numbers {
  private Numbers() {}

  /** Any number that is whole and within the range. */
  static long whole(Field field, Object value, long least, long most) {
    long whole;
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      whole = ((Number) value).longValue();
    } else {
      whole = wholeOf(field, exact(field, value), value);
    }
    if (whole < least || whole > most) {
      throw ValueErrors.outOfRange(field, value, "use %d to %d".formatted(least, most));
    }
    return whole;
  }

  private static long wholeOf(Field field, BigDecimal exact, Object value) {
    if (exact.signum() == 0) {
      return 0;
    }
    // Digits before the point; looked at first, since 1e999999999 has very many.
    long digits = (long) exact.precision() - exact.scale();
    if (digits > 19) {
      throw ValueErrors.outOfRange(field, value, "use a smaller number");
    }
    if (digits <= 0 || exact.stripTrailingZeros().scale() > 0) {
      throw ValueErrors.mismatch(field, value);
    }
    BigInteger whole = exact.toBigIntegerExact();
    if (whole.bitLength() > 63) {
      throw ValueErrors.outOfRange(field, value, "use a smaller number");
    }
    return whole.longValue();
  }

  /** Rounded to the nearest float; infinity and NaN only where they were given. */
  static float real(Field field, Object value) {
    if (value instanceof Float f) {
      return f;
    }
    double wide = dbl(field, value);
    float narrow = (float) wide;
    if (Float.isInfinite(narrow) && !Double.isInfinite(wide)) {
      throw ValueErrors.outOfRange(field, value, "use a smaller number");
    }
    return narrow;
  }

  /** Rounded to the nearest double; infinity and NaN only where they were given. */
  static double dbl(Field field, Object value) {
    if (!(value instanceof Number number)) {
      throw ValueErrors.mismatch(field, value);
    }
    double wide = number.doubleValue();
    if (Double.isInfinite(wide) && !(number instanceof Double || number instanceof Float)) {
      throw ValueErrors.outOfRange(field, value, "use a smaller number");
    }
    return wide;
  }

  /** Rounded half up, as SQL does, to the column's scale. */
  static BigDecimal decimal(Field field, Object value) {
    BigDecimal exact = exact(field, value);
    int precision = field.type().precision();
    int scale = field.type().scale();
    // Digits before the point; looked at first, since 1e999999999 has very many, and 1e-999999999
    // has as many after it.
    long digits = (long) exact.precision() - exact.scale();
    if (exact.signum() == 0 || digits < -scale) {
      return BigDecimal.ZERO.setScale(scale);
    }
    BigDecimal rounded =
        digits > precision - scale ? exact : exact.setScale(scale, RoundingMode.HALF_UP);
    if (digits > precision - scale || rounded.precision() > precision) {
      throw ValueErrors.outOfRange(
          field, value, "use at most %d digits before the point".formatted(precision - scale));
    }
    return rounded;
  }

  /** The number as its decimal text says. */
  private static BigDecimal exact(Field field, Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal;
    }
    if (value instanceof BigInteger integer) {
      return new BigDecimal(integer);
    }
    if (value instanceof Double || value instanceof Float) {
      if (!Double.isFinite(((Number) value).doubleValue())) {
        throw ValueErrors.outOfRange(field, value, "use a finite number");
      }
      return new BigDecimal(value.toString());
    }
    if (value instanceof Number number) {
      return BigDecimal.valueOf(number.longValue());
    }
    throw ValueErrors.mismatch(field, value);
  }
}
