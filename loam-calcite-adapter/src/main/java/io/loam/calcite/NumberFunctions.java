package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.apache.calcite.linq4j.function.Strict;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;

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

  /** A text as a double. */
  static final SqlFunction PARSE_DOUBLE = function("PARSE_DOUBLE", "parseDouble");

  /** A text as a float. */
  static final SqlFunction PARSE_REAL = function("PARSE_REAL", "parseReal");

  /** The absolute value of a BIGINT. */
  static final SqlFunction ABS_OF_LONG = function("ABS", "absOfLong");

  /** The absolute value of an INTEGER or shorter. */
  static final SqlFunction ABS_OF_INT = function("ABS", "absOfInt");

  /** The logarithm to base 10, which is whole for powers of ten. */
  static final SqlFunction LOG10 = function("LOG10", "log10");

  /** A day, which must be one of the years 1 to 9999. */
  static final SqlFunction DATE_IN_CALENDAR = function("IN_CALENDAR", "dateInCalendar");

  /** A time in microseconds, likewise. */
  static final SqlFunction TIMESTAMP_IN_CALENDAR = function("IN_CALENDAR", "timestampInCalendar");

  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
  private static final long MICROS_OF_DAY = 86_400_000_000L;

  private NumberFunctions() {}

  private static SqlFunction function(String name, String method) {
    return new SqlUserDefinedFunction(
        new SqlIdentifier(name, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        InferTypes.ANY_NULLABLE,
        OperandTypes.operandMetadata(List.of(), factory -> List.of(), i -> "value", i -> false),
        ScalarFunctionImpl.create(NumberFunctions.class, method));
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
  public static int dateInCalendar(int day) {
    checkDay(day);
    return day;
  }

  @Strict
  public static long timestampInCalendar(long micros) {
    checkDay(Math.floorDiv(micros, MICROS_OF_DAY));
    return micros;
  }

  private static void checkDay(long day) {
    if (day < FIRST_DAY || day > LAST_DAY) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "time is out of the calendar: days since 1970-01-01="
              + day
              + "; stay within the years 0001 to 9999");
    }
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
  public static float toReal(double value) {
    float real = (float) value;
    if (Float.isInfinite(real) && !Double.isInfinite(value)) {
      throw outOfRange(value, "REAL");
    }
    return real;
  }

  @Strict
  public static double parseDouble(String text) {
    double value = parse(text);
    if (Double.isInfinite(value) && isNumber(text)) {
      throw outOfRange(text, "DOUBLE");
    }
    return value;
  }

  @Strict
  public static float parseReal(String text) {
    double value = parse(text);
    // From the text, since rounding twice might give another number.
    float real = Float.parseFloat(text.strip());
    if (Float.isInfinite(real) && isNumber(text)) {
      throw outOfRange(text, "REAL");
    }
    return Double.isNaN(value) ? Float.NaN : real;
  }

  private static double parse(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new LoamException(
          ErrorCode.INVALID_TEXT,
          "text is not a number: value="
              + text
              + "; write it as 1.5 or 1e6, or NaN, Infinity and -Infinity",
          e);
    }
  }

  /** Whether a text has digits and so is not the name of infinity. */
  private static boolean isNumber(String text) {
    return text.chars().anyMatch(Character::isDigit);
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
