package io.loam.jdbc;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.UuidText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.Array;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts values between the classes that JDBC programs use. Every method takes any value but
 * null. What cannot be meant fails with {@code INVALID_TEXT}, {@code OUT_OF_RANGE} or {@code
 * TYPE_MISMATCH}.
 *
 * <p>A {@code TIMESTAMP} has no time zone: an {@link Instant} and the like stand for it in UTC, a
 * {@link Timestamp} for what it shows in the JVM's zone.
 */
public final class Values {
  private static final DateTimeFormatter TIME_TEXT =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter();
  private static final DateTimeFormatter TIMESTAMP_TEXT =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .append(TIME_TEXT)
          .toFormatter();

  private Values() {}

  /** A whole number; fractions are cut off. */
  public static long toLong(Object value) {
    if (value instanceof Long || value instanceof Integer || value instanceof Short) {
      return ((Number) value).longValue();
    }
    BigInteger whole = toDecimal(value).toBigInteger();
    if (whole.bitLength() > 63) {
      throw outOfRange(value, "BIGINT");
    }
    return whole.longValue();
  }

  /** A whole number between the bounds; fractions are cut off. */
  public static long toLong(Object value, long least, long most, String type) {
    long number = toLong(value);
    if (number < least || number > most) {
      throw outOfRange(value, type);
    }
    return number;
  }

  public static int toInt(Object value) {
    return (int) toLong(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "INTEGER");
  }

  public static short toShort(Object value) {
    return (short) toLong(value, Short.MIN_VALUE, Short.MAX_VALUE, "SMALLINT");
  }

  public static byte toByte(Object value) {
    return (byte) toLong(value, Byte.MIN_VALUE, Byte.MAX_VALUE, "TINYINT");
  }

  public static double toDouble(Object value) {
    return toDouble(value, "DOUBLE");
  }

  /** Only what says that it is infinite is so. */
  private static double toDouble(Object value, String type) {
    if (value instanceof Double || value instanceof Float) {
      return ((Number) value).doubleValue();
    }
    if (value instanceof Boolean b) {
      return b ? 1 : 0;
    }
    double number = value instanceof Number n ? n.doubleValue() : parseDouble(value, type);
    if (Double.isInfinite(number) && !value.toString().contains("Infinity")) {
      throw outOfRange(value, type);
    }
    return number;
  }

  private static double parseDouble(Object value, String type) {
    try {
      return Double.parseDouble(text(value, type).strip());
    } catch (NumberFormatException e) {
      throw invalidText(value, type, e);
    }
  }

  public static float toFloat(Object value) {
    double number = toDouble(value, "REAL");
    float rounded = (float) number;
    if (Float.isInfinite(rounded) && !Double.isInfinite(number)) {
      throw outOfRange(value, "REAL");
    }
    return rounded;
  }

  public static BigDecimal toDecimal(Object value) {
    return toDecimal(value, "number");
  }

  /** Likewise, for a type that errors name. */
  public static BigDecimal toDecimal(Object value, String type) {
    try {
      if (value instanceof BigDecimal d) {
        return d;
      }
      if (value instanceof BigInteger i) {
        return new BigDecimal(i);
      }
      if (value instanceof Double || value instanceof Float) {
        return new BigDecimal(value.toString());
      }
      if (value instanceof Number n) {
        return BigDecimal.valueOf(n.longValue());
      }
      if (value instanceof Boolean b) {
        return b ? BigDecimal.ONE : BigDecimal.ZERO;
      }
      return new BigDecimal(text(value, type).strip());
    } catch (NumberFormatException e) {
      throw invalidText(value, type, e);
    }
  }

  public static BigDecimal toDecimal(Object value, int scale) {
    return toDecimal(value).setScale(scale, RoundingMode.HALF_UP);
  }

  /** A boolean, a number (0 is false), or one of {@code true false t f yes no 1 0}. */
  public static boolean toBoolean(Object value) {
    if (value instanceof Boolean b) {
      return b;
    }
    if (value instanceof Number n) {
      return n.doubleValue() != 0;
    }
    String text = text(value, "BOOLEAN").strip();
    if (text.matches("(?i)true|t|yes|1")) {
      return true;
    }
    if (text.matches("(?i)false|f|no|0")) {
      return false;
    }
    throw invalidText(value, "BOOLEAN", null);
  }

  public static LocalDate toDate(Object value) {
    if (value instanceof LocalDate d) {
      return d;
    }
    if (value instanceof java.sql.Date d) {
      return d.toLocalDate();
    }
    if (value instanceof CharSequence) {
      String text = value.toString().strip();
      if (text.length() == "2026-01-31".length()) {
        try {
          return LocalDate.parse(text);
        } catch (DateTimeException e) {
          throw invalidText(value, "DATE", e);
        }
      }
    }
    return toTimestamp(value).toLocalDate();
  }

  public static LocalDateTime toTimestamp(Object value) {
    if (value instanceof LocalDateTime t) {
      return t;
    }
    if (value instanceof Timestamp t) {
      return t.toLocalDateTime();
    }
    if (value instanceof LocalDate d) {
      return d.atStartOfDay();
    }
    if (value instanceof java.sql.Date d) {
      return d.toLocalDate().atStartOfDay();
    }
    if (value instanceof Instant i) {
      return utc(i);
    }
    if (value instanceof OffsetDateTime t) {
      return t.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    }
    if (value instanceof ZonedDateTime t) {
      return t.withZoneSameInstant(ZoneOffset.UTC).toLocalDateTime();
    }
    if (value instanceof java.util.Date d && !(d instanceof Time)) {
      return LocalDateTime.ofInstant(d.toInstant(), ZoneId.systemDefault());
    }
    String text = text(value, "TIMESTAMP").strip();
    try {
      return text.length() == "2026-01-31".length()
          ? LocalDate.parse(text).atStartOfDay()
          : LocalDateTime.parse(text.replace(' ', 'T'));
    } catch (DateTimeException e) {
      throw invalidText(value, "TIMESTAMP", e);
    }
  }

  /** A time of day, also that of a timestamp. */
  public static LocalTime toTime(Object value) {
    if (value instanceof LocalTime t) {
      return t;
    }
    if (value instanceof Time t) {
      // Time's own conversion drops its milliseconds.
      return LocalDateTime.ofInstant(Instant.ofEpochMilli(t.getTime()), ZoneId.systemDefault())
          .toLocalTime();
    }
    if (value instanceof CharSequence && !value.toString().contains("-")) {
      try {
        return LocalTime.parse(value.toString().strip());
      } catch (DateTimeException e) {
        throw invalidText(value, "TIME", e);
      }
    }
    if (value instanceof LocalDate || value instanceof java.sql.Date) {
      throw mismatch(value, "TIME");
    }
    return toTimestamp(value).toLocalTime();
  }

  private static LocalDateTime utc(Instant instant) {
    try {
      return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "time out of range: value=" + instant + ", type=TIMESTAMP; use one nearer to now",
          e);
    }
  }

  public static UUID toUuid(Object value) {
    if (value instanceof UUID u) {
      return u;
    }
    String text = text(value, "UUID").strip();
    try {
      return UuidText.parse(text);
    } catch (IllegalArgumentException e) {
      throw invalidText(value, "UUID", e);
    }
  }

  /** The text that SQL shows for the value; lists and vectors as JSON arrays. */
  public static String toText(Object value) {
    if (value instanceof BigDecimal d) {
      return d.toPlainString();
    }
    if (value instanceof LocalDateTime t) {
      return TIMESTAMP_TEXT.format(t);
    }
    if (value instanceof LocalTime t) {
      return TIME_TEXT.format(t);
    }
    if (value instanceof Timestamp || value instanceof Instant || value instanceof OffsetDateTime) {
      return TIMESTAMP_TEXT.format(toTimestamp(value));
    }
    if (value instanceof float[] || value instanceof double[]) {
      return JsonText.of(toVector(value));
    }
    if (value instanceof Array || value instanceof Object[] || value instanceof List<?>) {
      return JsonText.of(toList(value));
    }
    return value.toString();
  }

  /** {@code float[]}, {@code double[]}, numbers in a list or an array, or text such as [0.1,2]. */
  public static float[] toVector(Object value) {
    if (value instanceof float[] f) {
      return f;
    }
    if (value instanceof double[] d) {
      float[] vector = new float[d.length];
      for (int i = 0; i < d.length; i++) {
        vector[i] = toFloat(d[i]);
      }
      return vector;
    }
    if (value instanceof CharSequence) {
      return parseVector(value.toString());
    }
    if (value instanceof Array array) {
      return toVector(elements(array));
    }
    List<?> list = toList(value);
    float[] vector = new float[list.size()];
    for (int i = 0; i < vector.length; i++) {
      Object item = list.get(i);
      if (item == null) {
        throw new LoamException(
            ErrorCode.NULL_NOT_ALLOWED,
            "null in a vector: position=" + i + "; give a number for every dimension");
      }
      vector[i] = toFloat(item);
    }
    return vector;
  }

  /** A list, an array of any kind, or one value as a list of itself. */
  public static List<?> toList(Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    if (value instanceof Array array) {
      return toList(elements(array));
    }
    if (value.getClass().isArray()) {
      int length = java.lang.reflect.Array.getLength(value);
      List<Object> list = new ArrayList<>(length);
      for (int i = 0; i < length; i++) {
        list.add(java.lang.reflect.Array.get(value, i));
      }
      return list;
    }
    throw mismatch(value, "ARRAY");
  }

  static LoamException mismatch(Object value, String type) {
    return new LoamException(
        ErrorCode.TYPE_MISMATCH,
        "value does not fit the type: class="
            + value.getClass().getSimpleName()
            + ", type="
            + type
            + "; use a class of this type, or text");
  }

  private static float[] parseVector(String text) {
    String body = text.strip();
    if (!body.startsWith("[") || !body.endsWith("]")) {
      throw invalidText(text, "VECTOR", null);
    }
    body = body.substring(1, body.length() - 1).strip();
    if (body.isEmpty()) {
      return new float[0];
    }
    String[] parts = body.split(",", -1);
    float[] vector = new float[parts.length];
    for (int i = 0; i < parts.length; i++) {
      vector[i] = toFloat(parts[i]);
    }
    return vector;
  }

  private static Object elements(Array array) {
    try {
      return array.getArray();
    } catch (SQLException e) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT, "array cannot be read; bind it before it is freed", e);
    }
  }

  private static String text(Object value, String type) {
    if (value instanceof CharSequence) {
      return value.toString();
    }
    throw mismatch(value, type);
  }

  static LoamException outOfRange(Object value, String type) {
    return new LoamException(
        ErrorCode.OUT_OF_RANGE,
        "number out of range: value=" + value + ", type=" + type + "; use a wider type");
  }

  private static LoamException invalidText(Object value, String type, @Nullable Throwable cause) {
    String text = value.toString();
    return new LoamException(
        ErrorCode.INVALID_TEXT,
        "text is not a value of the type: text="
            + (text.length() > 80 ? text.substring(0, 80) + "…" : text)
            + ", type="
            + type
            + "; correct the text",
        cause);
  }
}
