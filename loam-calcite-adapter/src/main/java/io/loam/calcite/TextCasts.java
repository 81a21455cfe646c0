package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.TypeKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.DateTimeUtils;
import org.apache.calcite.linq4j.function.Strict;
import org.apache.calcite.sql.SqlFunction;

/**
 * Casts of texts, which say which text is no value of which type. The methods that plans name are
 * called by generated code, hence public.
 */
public final class TextCasts {
  /** A text as a whole number of so many bits. */
  static final SqlFunction WHOLE = function("TEXT_TO_WHOLE", "whole");

  /** A text as a decimal of so many digits, and so many of them after the point. */
  static final SqlFunction DECIMAL = function("TEXT_TO_DECIMAL", "decimal");

  static final SqlFunction DOUBLE = function("PARSE_DOUBLE", "toDouble");
  static final SqlFunction REAL = function("PARSE_REAL", "toReal");

  /** A text as days since 1970. */
  static final SqlFunction DATE = function("TEXT_TO_DATE", "date");

  private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");

  private TextCasts() {}

  private static SqlFunction function(String name, String method) {
    return CodeFunction.of(TextCasts.class, name, method);
  }

  @Strict
  public static long whole(String text, int bits) {
    return cast(text, wholeType(bits), TypeKind.INTEGER, () -> wholeOf(text, bits));
  }

  @Strict
  public static BigDecimal decimal(String text, int precision, int scale) {
    return cast(
        text,
        "DECIMAL(" + precision + "," + scale + ")",
        TypeKind.DECIMAL,
        () -> Decimals.fitted(new BigDecimal(text.strip()), precision, scale));
  }

  @Strict
  public static double toDouble(String text) {
    return cast(text, "DOUBLE", TypeKind.DOUBLE, () -> doubleOf(text));
  }

  @Strict
  public static float toReal(String text) {
    return cast(text, "REAL", TypeKind.REAL, () -> realOf(text));
  }

  @Strict
  public static int date(String text) {
    return cast(text, "DATE", TypeKind.DATE, () -> dateOf(text));
  }

  /** What a value of a type is, to tell who gave another. */
  static String form(TypeKind kind) {
    return switch (kind) {
      case BIGINT, INTEGER -> "a whole number such as 42, within the type's range";
      case DECIMAL -> "a number such as 1.5 of no more digits than the type has";
      case REAL, DOUBLE -> "a number such as 1.5, or NaN, Infinity and -Infinity";
      case BOOLEAN -> "true or false";
      case DATE -> "a day such as 2026-01-31";
      case TIMESTAMP -> "a time such as 2026-01-31 12:00:00.123456";
      case UUID -> "8-4-4-4-12 hexadecimal digits";
      case VARCHAR, TEXT, JSON, VARCHAR_ARRAY, VECTOR, SPARSEVECTOR -> "a value of that type";
    };
  }

  private static <T> T cast(String text, String type, TypeKind kind, Supplier<T> reader) {
    try {
      return reader.get();
    } catch (ArithmeticException e) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "number is out of range: value=" + text + ", type=" + type + "; use a wider type",
          e);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new LoamException(
          ErrorCode.INVALID_TEXT,
          "text is not of the type: value=" + text + ", type=" + type + "; give " + form(kind),
          e);
    }
  }

  private static String wholeType(int bits) {
    return switch (bits) {
      case Byte.SIZE -> "TINYINT";
      case Short.SIZE -> "SMALLINT";
      case Integer.SIZE -> "INTEGER";
      default -> "BIGINT";
    };
  }

  static long wholeOf(String text, int bits) {
    String digits = text.strip();
    if (!WHOLE_NUMBER.matcher(digits).matches()) {
      throw new NumberFormatException("not a whole number");
    }
    BigInteger number = new BigInteger(digits);
    if (number.bitLength() >= bits) {
      throw new ArithmeticException("too many bits");
    }
    return number.longValue();
  }

  /** The double that a text names, which has to be finite unless the text names infinity. */
  static double doubleOf(String text) {
    double value = Double.parseDouble(text.strip());
    checkFinite(value, text);
    return value;
  }

  /** Likewise a float, from the text, since rounding twice might give another number. */
  static float realOf(String text) {
    float value = Float.parseFloat(text.strip());
    checkFinite(value, text);
    return value;
  }

  private static void checkFinite(double value, String text) {
    if (Double.isInfinite(value) && text.chars().anyMatch(Character::isDigit)) {
      throw new ArithmeticException("number is too large");
    }
  }

  static int dateOf(String text) {
    return DateTimeUtils.dateStringToUnixDate(text.strip());
  }
}
