package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.TypeKind;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import org.apache.calcite.linq4j.function.Strict;
import org.apache.calcite.sql.SqlFunction;

/**
 * What {@link GeneratedPlan} puts into plans. A timestamp is a number of microseconds since 1970 in
 * UTC there. The methods are called by generated code, hence public.
 */
public final class TimestampFunctions {
  private static final int MICROS = 1_000;
  private static final int MICROS_PER_SECOND = 1_000_000;
  private static final int DATE_CHARS = "2026-01-31".length();

  private static final DateTimeFormatter TEXT =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter();

  /** A whole number of microseconds as a timestamp, or the other way round. */
  static final SqlFunction SAME = function("TIMESTAMP_MICROSECONDS", "same");

  /** Milliseconds, rounded down. */
  static final SqlFunction TO_MILLIS = function("TIMESTAMP_TO_MILLIS", "toMillis");

  /** Milliseconds, rounded up. */
  static final SqlFunction TO_MILLIS_UP = function("TIMESTAMP_TO_MILLIS_UP", "toMillisUp");

  static final SqlFunction FROM_MILLIS = function("TIMESTAMP_FROM_MILLIS", "fromMillis");

  /** Milliseconds, with the microseconds that another timestamp has beyond them. */
  static final SqlFunction WITH_REST = function("TIMESTAMP_WITH_REST", "withRest");

  /** The part below a millisecond, times a factor. */
  static final SqlFunction REST = function("TIMESTAMP_REST", "rest");

  /** A timestamp cut to a number of microseconds. */
  static final SqlFunction CUT = function("TIMESTAMP_CUT", "cut");

  static final SqlFunction TO_TEXT = function("TIMESTAMP_TO_TEXT", "toText");

  static final SqlFunction PARSE = function("TIMESTAMP_PARSE", "parse");

  /** A day, which must be one of the years 1 to 9999. */
  static final SqlFunction DATE_IN_CALENDAR = function("IN_CALENDAR", "dateInCalendar");

  /** A time in microseconds, likewise. */
  static final SqlFunction TIMESTAMP_IN_CALENDAR = function("IN_CALENDAR", "timestampInCalendar");

  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
  private static final long MICROS_OF_DAY = 86_400_000_000L;

  private TimestampFunctions() {}

  private static SqlFunction function(String name, String method) {
    return CodeFunction.of(TimestampFunctions.class, name, method);
  }

  @Strict
  public static long same(long micros) {
    return micros;
  }

  @Strict
  public static long toMillis(long micros) {
    return Math.floorDiv(micros, MICROS);
  }

  @Strict
  public static long toMillisUp(long micros) {
    return -Math.floorDiv(-micros, MICROS);
  }

  @Strict
  public static long fromMillis(long millis) {
    return Math.multiplyExact(millis, (long) MICROS);
  }

  @Strict
  public static long withRest(long millis, long micros) {
    return fromMillis(millis) + Math.floorMod(micros, MICROS);
  }

  @Strict
  public static long rest(long micros, int factor) {
    return (long) Math.floorMod(micros, MICROS) * factor;
  }

  @Strict
  public static long cut(long micros, int unit) {
    return micros - Math.floorMod(micros, unit);
  }

  @Strict
  public static String toText(long micros) {
    return TEXT.format(toLocal(micros));
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
  public static long parse(String text) {
    try {
      return toMicros(localOf(text));
    } catch (DateTimeException e) {
      throw new LoamException(
          ErrorCode.INVALID_TEXT,
          "text is not of the type: value="
              + text
              + ", type=TIMESTAMP; give "
              + TextCasts.form(TypeKind.TIMESTAMP),
          e);
    }
  }

  /** Text as SQL writes timestamps, with a blank or a T; a date alone is its midnight. */
  static LocalDateTime localOf(String text) {
    String stripped = text.strip();
    return stripped.length() == DATE_CHARS
        ? LocalDate.parse(stripped).atStartOfDay()
        : LocalDateTime.parse(stripped.replace(' ', 'T'));
  }

  /** Microseconds since 1970; digits beyond them are cut. */
  public static long toMicros(LocalDateTime time) {
    return Math.addExact(
        Math.multiplyExact(time.toEpochSecond(ZoneOffset.UTC), (long) MICROS_PER_SECOND),
        time.get(ChronoField.MICRO_OF_SECOND));
  }

  public static LocalDateTime toLocal(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND),
        Math.floorMod(micros, MICROS_PER_SECOND) * MICROS,
        ZoneOffset.UTC);
  }
}
