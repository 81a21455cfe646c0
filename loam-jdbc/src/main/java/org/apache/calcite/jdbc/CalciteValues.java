package org.apache.calcite.jdbc;

import io.loam.calcite.BoundParameters;
import io.loam.calcite.TimestampFunctions;
import io.loam.calcite.VectorView;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.Parameters;
import io.loam.jdbc.Values;
import java.math.BigDecimal;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.util.ByteString;

/**
 * Converts between the values of JDBC programs and those of running plans: there dates are days,
 * times milliseconds, timestamps microseconds since 1970, and vectors {@link VectorView}s.
 */
final class CalciteValues {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private CalciteValues() {}

  /** The value as a plan takes it, with the digits that its parameter asks for. */
  static Object toPlan(AvaticaParameter parameter, Object value) {
    boolean isDecimal = parameter.parameterType == Types.DECIMAL;
    return switch (BoundParameters.digits(parameter)) {
      case FITTING ->
          isDecimal
              ? Parameters.toFittingDecimal(value, parameter.precision, parameter.scale)
              : Parameters.toFittingDouble(value);
      case ROUNDED ->
          isDecimal
              ? Parameters.toRoundedDecimal(value, parameter.precision, parameter.scale)
              : toPlan(parameter.parameterType, parameter.typeName, value);
      case GIVEN -> toPlan(parameter.parameterType, parameter.typeName, value);
    };
  }

  /**
   * The value as a plan takes it.
   *
   * @param sqlType the parameter's, of {@link Types}
   * @param typeName the parameter's, such as {@code VECTOR(3)}
   * @param value not null
   */
  static Object toPlan(int sqlType, String typeName, Object value) {
    return switch (sqlType) {
      case Types.BIGINT -> Parameters.toWhole(value, Long.MIN_VALUE, Long.MAX_VALUE, "BIGINT");
      case Types.INTEGER ->
          (int) Parameters.toWhole(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "INTEGER");
      case Types.SMALLINT ->
          (short) Parameters.toWhole(value, Short.MIN_VALUE, Short.MAX_VALUE, "SMALLINT");
      case Types.TINYINT ->
          (byte) Parameters.toWhole(value, Byte.MIN_VALUE, Byte.MAX_VALUE, "TINYINT");
      case Types.REAL -> Values.toFloat(value);
      case Types.FLOAT, Types.DOUBLE -> Values.toDouble(value);
      case Types.DECIMAL, Types.NUMERIC -> Values.toDecimal(value, typeName);
      case Types.BOOLEAN, Types.BIT -> Parameters.toBoolean(value);
      case Types.DATE -> days(Parameters.toDate(value));
      case Types.TIMESTAMP -> micros(Values.toTimestamp(value));
      case Types.TIME -> (int) (Values.toTime(value).toNanoOfDay() / NANOS_PER_MILLI);
      case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR -> Parameters.toText(value);
      case Types.ARRAY ->
          isVector(typeName) ? new VectorView(Values.toVector(value)) : Values.toList(value);
      default -> typeName.startsWith("UUID") ? Values.toUuid(value) : untyped(value);
    };
  }

  /** A parameter that SQL gives no type, such as a search function's query. */
  private static Object untyped(Object value) {
    if (value instanceof float[] || value instanceof double[] || value instanceof java.sql.Array) {
      return new VectorView(Values.toVector(value));
    }
    return value;
  }

  /** Digits beyond microseconds are cut. */
  private static long micros(LocalDateTime time) {
    try {
      return TimestampFunctions.toMicros(time);
    } catch (ArithmeticException e) {
      throw outOfRange(time, "TIMESTAMP", e);
    }
  }

  private static int days(LocalDate date) {
    try {
      return Math.toIntExact(date.toEpochDay());
    } catch (ArithmeticException e) {
      throw outOfRange(date, "DATE", e);
    }
  }

  private static LoamException outOfRange(Object value, String type, ArithmeticException cause) {
    return new LoamException(
        ErrorCode.OUT_OF_RANGE,
        "time out of range: value=" + value + ", type=" + type + "; use one nearer to now",
        cause);
  }

  /**
   * What {@link #toPlan} was given, in the class that stands for the type: Long, Integer, Float,
   * Double, BigDecimal, Boolean, String, LocalDate, LocalTime, LocalDateTime, UUID, {@code float[]}
   * or List.
   */
  static Object fromPlan(ColumnMetaData.AvaticaType type, Object value) {
    return switch (type.id) {
      case Types.DATE ->
          value instanceof Number n ? LocalDate.ofEpochDay(n.longValue()) : Values.toDate(value);
      case Types.TIME ->
          value instanceof Number n
              ? LocalTime.ofNanoOfDay(n.longValue() * NANOS_PER_MILLI)
              : Values.toTime(value);
      case Types.TIMESTAMP ->
          value instanceof Number n
              ? TimestampFunctions.toLocal(n.longValue())
              : Values.toTimestamp(value);
      case Types.DECIMAL, Types.NUMERIC ->
          value instanceof BigDecimal d ? d : Values.toDecimal(value);
      case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR ->
          value instanceof ByteString ? value : value.toString();
      case Types.ARRAY -> isVector(type.getName()) ? toVector(value) : Values.toList(value);
      default -> value instanceof VectorView v ? v.values() : value;
    };
  }

  /** Arrays of REAL are vectors, also where a plan has lost the name. */
  private static boolean isVector(String typeName) {
    return typeName.startsWith("VECTOR") || typeName.startsWith("REAL");
  }

  private static float[] toVector(Object value) {
    return value instanceof VectorView v ? v.values() : Values.toVector(value);
  }
}
