package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.UUID;
import org.apache.calcite.linq4j.function.Strict;
import org.apache.calcite.sql.SqlFunction;

/**
 * What {@link NumberExpressions} puts into plans. The methods are called by generated code, hence
 * public.
 */
public final class NumberFunctions {
  /** A whole number that orders as a double does: zeros are equal, NaN is above all. */
  static final SqlFunction RANK = function("DOUBLE_RANK", "rank");

  /** The same for sorting, where -0.0 comes before 0.0 as in the rows of a scan. */
  static final SqlFunction SORT_RANK = function("DOUBLE_SORT_RANK", "sortRank");

  /** The halves of a UUID, which order as it does. */
  static final SqlFunction UUID_HIGH = function("UUID_HIGH", "uuidHigh");

  static final SqlFunction UUID_LOW = function("UUID_LOW", "uuidLow");

  /** Below 0 where the first of two UUIDs comes before the second, above 0 where after it. */
  static final SqlFunction UUID_ORDER = function("UUID_ORDER", "uuidOrder");

  /** A double, or 0.0 in the place of -0.0. */
  static final SqlFunction POSITIVE_ZERO = function("POSITIVE_ZERO", "positiveZero");

  /** Likewise a float. */
  static final SqlFunction POSITIVE_REAL_ZERO = function("POSITIVE_ZERO", "positiveRealZero");

  /** A double as a whole number from a least to a greatest one. */
  static final SqlFunction TO_WHOLE = function("DOUBLE_TO_WHOLE", "toWhole");

  /** A double as a decimal of so many digits, and so many of them after the point. */
  static final SqlFunction TO_DECIMAL = function("DOUBLE_TO_DECIMAL", "toDecimal");

  /** A double as the nearest float. */
  static final SqlFunction TO_REAL = function("DOUBLE_TO_REAL", "toReal");

  /** The absolute value of a BIGINT. */
  static final SqlFunction ABS_OF_LONG = function("ABS", "absOfLong");

  /** The absolute value of an INTEGER or shorter. */
  static final SqlFunction ABS_OF_INT = function("ABS", "absOfInt");

  /** The logarithm to base 10, which is whole for powers of ten. */
  static final SqlFunction LOG10 = function("LOG10", "log10");

  /** The quotient of two decimals with all digits of its type. */
  static final SqlFunction DECIMAL_QUOTIENT = function("DECIMAL_QUOTIENT", "quotient");

  private NumberFunctions() {}

  private static SqlFunction function(String name, String method) {
    return CodeFunction.of(NumberFunctions.class, name, method);
  }

  @Strict
  public static long rank(double value) {
    return sortRank(value + 0.0);
  }

  @Strict
  public static long uuidHigh(Object value) {
    return ((UUID) value).getMostSignificantBits();
  }

  @Strict
  public static long uuidLow(Object value) {
    return ((UUID) value).getLeastSignificantBits();
  }

  @Strict
  public static int uuidOrder(Object left, Object right) {
    return ((UUID) left).compareTo((UUID) right);
  }

  @Strict
  public static long sortRank(double value) {
    long bits = Double.doubleToLongBits(value);
    return bits ^ ((bits >> 63) >>> 1);
  }

  @Strict
  public static double positiveZero(double value) {
    return value + 0.0;
  }

  @Strict
  public static float positiveRealZero(float value) {
    return value + 0.0f;
  }

  @Strict
  public static long toWhole(double value, long least, long greatest) {
    if (Double.isFinite(value)) {
      BigDecimal whole = new BigDecimal(value).setScale(0, RoundingMode.HALF_UP);
      if (whole.compareTo(BigDecimal.valueOf(least)) >= 0
          && whole.compareTo(BigDecimal.valueOf(greatest)) <= 0) {
        return whole.longValueExact();
      }
    }
    throw outOfRange(value, least + " to " + greatest);
  }

  /** The decimal digits that a double is written with are what is rounded. */
  @Strict
  public static BigDecimal toDecimal(double value, int precision, int scale) {
    if (Double.isFinite(value)) {
      BigDecimal decimal = BigDecimal.valueOf(value).setScale(scale, RoundingMode.HALF_UP);
      if (decimal.precision() <= precision) {
        return decimal;
      }
    }
    throw outOfRange(value, "DECIMAL(" + precision + ", " + scale + ")");
  }

  @Strict
  public static BigDecimal quotient(
      BigDecimal dividend, BigDecimal divisor, int precision, int scale) {
    BigDecimal quotient = dividend.divide(divisor, scale, RoundingMode.HALF_UP);
    if (quotient.precision() > precision) {
      throw outOfRange(quotient.toPlainString(), "DECIMAL(" + precision + ", " + scale + ")");
    }
    return quotient;
  }

  @Strict
  public static float toReal(double value) {
    float real = (float) value;
    if (Float.isInfinite(real) && !Double.isInfinite(value)) {
      throw outOfRange(value, "REAL");
    }
    return real;
  }

  @Strict
  public static long absOfLong(long value) {
    if (value == Long.MIN_VALUE) {
      throw outOfRange("abs(" + value + ")", "BIGINT");
    }
    return Math.abs(value);
  }

  @Strict
  public static double log10(double value) {
    if (value <= 0) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "no logarithm: value=" + value + "; take that of numbers greater than 0 only");
    }
    return Math.log10(value);
  }

  @Strict
  public static int absOfInt(int value) {
    if (value == Integer.MIN_VALUE) {
      throw outOfRange("abs(" + value + ")", "INTEGER");
    }
    return Math.abs(value);
  }

  private static LoamException outOfRange(Object value, String range) {
    return new LoamException(
        ErrorCode.OUT_OF_RANGE,
        "number is out of range: value=" + value + ", range=" + range + "; use a wider type");
  }
}
