package io.loam.jdbc;

import io.loam.calcite.Decimals;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.sql.Clob;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.temporal.TemporalAccessor;
import java.util.UUID;

/**
 * Converts values that a program binds, where they are taken more strictly than {@link Values}
 * takes those that it reads: nothing is stored that the program did not say.
 */
public final class Parameters {
  private static final int MAX_WHOLE_DIGITS = 19;
  private static final int READ_CHARACTERS = 8_192;

  private Parameters() {}

  /** A whole number between the bounds; a fraction is {@code OUT_OF_RANGE}. */
  public static long toWhole(Object value, long least, long most, String type) {
    if (value instanceof Long || value instanceof Integer || value instanceof Short) {
      return Values.toLong(value, least, most, type);
    }
    BigDecimal number = Values.toDecimal(value, type).stripTrailingZeros();
    if (number.scale() > 0) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "number has a fraction: value=" + value + ", type=" + type + "; round it");
    }
    // Before the digits of a number such as 1e999999999 are written out.
    if ((long) number.precision() - number.scale() > MAX_WHOLE_DIGITS) {
      throw Values.outOfRange(value, type);
    }
    return Values.toLong(number, least, most, type);
  }

  /** A decimal all of whose digits a type has room for; others are {@code OUT_OF_RANGE}. */
  public static BigDecimal toFittingDecimal(Object value, int precision, int scale) {
    BigDecimal number = Values.toDecimal(value, decimal(precision, scale));
    BigDecimal plain = number.stripTrailingZeros();
    if (plain.scale() > scale || wholeDigits(plain) > precision - scale) {
      throw tooManyDigits(value, decimal(precision, scale));
    }
    // Plans that look for equal numbers take digits into account.
    return plain.setScale(scale);
  }

  /** A decimal rounded half up to the scale, that then has no more digits than the precision. */
  public static BigDecimal toRoundedDecimal(Object value, int precision, int scale) {
    try {
      return Decimals.fitted(Values.toDecimal(value, decimal(precision, scale)), precision, scale);
    } catch (ArithmeticException e) {
      throw Values.outOfRange(value, decimal(precision, scale));
    }
  }

  private static long wholeDigits(BigDecimal number) {
    return (long) number.precision() - number.scale();
  }

  private static String decimal(int precision, int scale) {
    return "DECIMAL(" + precision + ", " + scale + ")";
  }

  /** A double that is written with the digits of the number; others are {@code OUT_OF_RANGE}. */
  public static double toFittingDouble(Object value) {
    double number = Values.toDouble(value);
    boolean isExact =
        value instanceof Double
            || value instanceof Float
            || (Double.isFinite(number)
                && new BigDecimal(Double.toString(number)).compareTo(Values.toDecimal(value)) == 0);
    if (!isExact) {
      throw tooManyDigits(value, "DOUBLE");
    }
    return number;
  }

  private static LoamException tooManyDigits(Object value, String type) {
    return new LoamException(
        ErrorCode.OUT_OF_RANGE,
        "number has more digits than its parameter: value="
            + value
            + ", type="
            + type
            + "; write CAST(? AS DECIMAL(p, s)) for the digits that count");
  }

  /** A date, or the day of what has no time of day; others are {@code OUT_OF_RANGE}. */
  public static LocalDate toDate(Object value) {
    LocalDate date = Values.toDate(value);
    if (!Values.toTimestamp(value).equals(date.atStartOfDay())) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "timestamp has a time of day: value="
              + value
              + ", type=DATE; bind the date, or write CAST(? AS TIMESTAMP)");
    }
    return date;
  }

  /** A boolean, 0 or 1, or a text that {@link Values#toBoolean} takes. */
  public static boolean toBoolean(Object value) {
    if (value instanceof Number && !isZeroOrOne(Values.toDecimal(value))) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "number is not a truth value: value=" + value + ", type=BOOLEAN; use 0 or 1");
    }
    return Values.toBoolean(value);
  }

  private static boolean isZeroOrOne(BigDecimal number) {
    return number.signum() == 0 || number.compareTo(BigDecimal.ONE) == 0;
  }

  /** The text of a value that has one; readers and {@code Clob}s are read to their end. */
  public static String toText(Object value) {
    if (value instanceof Reader reader) {
      return read(reader);
    }
    if (value instanceof Clob clob) {
      return read(clob);
    }
    if (value instanceof CharSequence
        || value instanceof Character
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof UUID
        || value instanceof TemporalAccessor
        || value instanceof Date
        || value instanceof Time
        || value instanceof Timestamp) {
      return Values.toText(value);
    }
    throw Values.mismatch(value, "VARCHAR");
  }

  private static String read(Reader reader) {
    return read(reader, Long.MAX_VALUE);
  }

  /** What the reader still holds, up to a number of characters; no more are taken of it. */
  public static String read(Reader reader, long length) {
    if (length < 0) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT, "negative length: characters=" + length + "; give 0 or more");
    }
    StringBuilder text = new StringBuilder();
    char[] part = new char[(int) Math.min(length, READ_CHARACTERS)];
    try {
      for (int read = 0; read >= 0 && text.length() < length; ) {
        text.append(part, 0, read);
        read = reader.read(part, 0, (int) Math.min(part.length, length - text.length()));
      }
      return text.toString();
    } catch (IOException e) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT, "reader of a parameter failed; give another", e);
    }
  }

  private static String read(Clob clob) {
    try (Reader reader = clob.getCharacterStream()) {
      return read(reader);
    } catch (IOException | SQLException e) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT, "Clob cannot be read; bind it before it is freed", e);
    }
  }
}
