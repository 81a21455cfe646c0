package org.apache.calcite.jdbc;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.apache.calcite.avatica.util.ByteString;

/** The classes that values can be asked for as. */
final class Classes {
  private static final Map<Class<?>, Function<Object, Object>> CONVERSIONS =
      Map.ofEntries(
          Map.entry(Object.class, Classes::toJdbc),
          Map.entry(String.class, Values::toText),
          Map.entry(Boolean.class, Values::toBoolean),
          Map.entry(Byte.class, Values::toByte),
          Map.entry(Short.class, Values::toShort),
          Map.entry(Integer.class, Values::toInt),
          Map.entry(Long.class, Values::toLong),
          Map.entry(Float.class, Values::toFloat),
          Map.entry(Double.class, Values::toDouble),
          Map.entry(BigDecimal.class, Values::toDecimal),
          Map.entry(BigInteger.class, v -> Values.toDecimal(v).toBigInteger()),
          Map.entry(UUID.class, Values::toUuid),
          Map.entry(LocalDate.class, Values::toDate),
          Map.entry(LocalTime.class, Values::toTime),
          Map.entry(LocalDateTime.class, Values::toTimestamp),
          Map.entry(Instant.class, v -> Values.toTimestamp(v).toInstant(ZoneOffset.UTC)),
          Map.entry(OffsetDateTime.class, v -> Values.toTimestamp(v).atOffset(ZoneOffset.UTC)),
          Map.entry(ZonedDateTime.class, v -> Values.toTimestamp(v).atZone(ZoneOffset.UTC)),
          Map.entry(java.util.Date.class, v -> Timestamp.valueOf(Values.toTimestamp(v))),
          Map.entry(Time.class, Classes::toTime),
          Map.entry(Date.class, v -> Date.valueOf(Values.toDate(v))),
          Map.entry(Timestamp.class, v -> Timestamp.valueOf(Values.toTimestamp(v))),
          Map.entry(byte[].class, Classes::toBytes),
          Map.entry(float[].class, Values::toVector),
          Map.entry(double[].class, v -> toDoubles(Values.toVector(v))),
          Map.entry(List.class, Values::toList),
          Map.entry(
              String[].class,
              v -> Values.toList(v).stream().map(String::valueOf).toArray(String[]::new)),
          Map.entry(Array.class, ValueArray::of),
          Map.entry(Clob.class, v -> new TextClob(Values.toText(v))),
          Map.entry(NClob.class, v -> new TextClob(Values.toText(v))));

  private Classes() {}

  /** The value as the class, or {@code TYPE_MISMATCH}. */
  static Object convert(Object value, Class<?> type) {
    Function<Object, Object> conversion = CONVERSIONS.get(type);
    if (conversion == null) {
      throw new LoamException(
          ErrorCode.TYPE_MISMATCH,
          "values cannot be read as this class: class="
              + type.getSimpleName()
              + "; use String or the class of the column's type");
    }
    return conversion.apply(value);
  }

  /** In the JVM's zone, on the day that JDBC has times on. */
  static Time toTime(Object value) {
    return new Time(Timestamp.valueOf(Values.toTime(value).atDate(LocalDate.EPOCH)).getTime());
  }

  /** The value in the class that JDBC gives to its type. */
  static Object toJdbc(Object value) {
    if (value instanceof LocalDate d) {
      return Date.valueOf(d);
    }
    if (value instanceof LocalDateTime t) {
      return Timestamp.valueOf(t);
    }
    if (value instanceof LocalTime t) {
      return toTime(t);
    }
    if (value instanceof ByteString bytes) {
      return bytes.getBytes();
    }
    return value instanceof float[] || value instanceof List<?> ? ValueArray.of(value) : value;
  }

  /** Those of a binary value, or of a text. */
  static byte[] toBytes(Object value) {
    return value instanceof ByteString bytes
        ? bytes.getBytes()
        : Values.toText(value).getBytes(StandardCharsets.UTF_8);
  }

  private static double[] toDoubles(float[] vector) {
    double[] doubles = new double[vector.length];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = vector[i];
    }
    return doubles;
  }
}
