package org.apache.calcite.jdbc;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.SqlErrors;
import io.loam.jdbc.Values;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Date;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.Function;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.MetaImpl;
import org.apache.calcite.avatica.util.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a result. Every getter reads the plan's own value and converts it with {@link Values};
 * those by label find the column first.
 */
final class LoamResultSet extends ForwardReadOnlyResultSet {
  private final Execution execution;
  private final int executionNumber;
  private final long maxRows;
  private long rows;
  private boolean onRow;
  private boolean wasNull;
  private List<Cursor.Accessor> plain = List.of();

  LoamResultSet(
      AvaticaStatement statement,
      CalcitePrepare.CalciteSignature<?> signature,
      ResultSetMetaData metaData,
      TimeZone timeZone,
      Meta.Frame firstFrame)
      throws SQLException {
    super(statement, signature, metaData, timeZone, firstFrame);
    this.execution = ((Executing) statement).execution();
    this.executionNumber = execution.number();
    this.maxRows = statement.getLargeMaxRows();
  }

  @Override
  protected CalciteResultSet execute() throws SQLException {
    super.execute();
    plain = cursor.createAccessors(untyped(columnMetaDataList), localCalendar, this);
    if (getSignature().statementType.canUpdate()) {
      execution.done();
    }
    return this;
  }

  /** Columns whose accessors give values as they are, instead of as Avatica would convert them. */
  private static List<ColumnMetaData> untyped(List<ColumnMetaData> columns) {
    ColumnMetaData.AvaticaType object =
        ColumnMetaData.scalar(Types.JAVA_OBJECT, "OBJECT", ColumnMetaData.Rep.OBJECT);
    List<ColumnMetaData> untyped = new ArrayList<>(columns.size());
    for (ColumnMetaData column : columns) {
      untyped.add(MetaImpl.columnMetaData(column.label, column.ordinal, object, true));
    }
    return untyped;
  }

  @Override
  protected void checkOpen() throws SQLException {
    if (isClosed()) {
      throw LoamConnection.closed("result set");
    }
  }

  @Override
  public boolean next() throws SQLException {
    return execution.turn(this::step);
  }

  private boolean step() throws SQLException {
    checkOpen();
    execution.check();
    onRow = (maxRows == 0 || rows < maxRows) && execution.step(() -> super.next());
    if (onRow) {
      rows++;
    } else {
      execution.finish();
    }
    return onRow;
  }

  @Override
  public void close() {
    execution.closeResult(executionNumber, super::close);
  }

  @Override
  public int findColumn(String label) throws SQLException {
    checkOpen();
    for (ColumnMetaData column : columnMetaDataList) {
      if (column.label.equalsIgnoreCase(label)) {
        return column.ordinal + 1;
      }
    }
    throw SqlErrors.toSqlException(
        new LoamException(
            ErrorCode.UNKNOWN_COLUMN,
            "no such column in the result: label=" + label + "; use a label of the query"));
  }

  @Override
  public boolean wasNull() throws SQLException {
    checkOpen();
    return wasNull;
  }

  /** The value as {@link CalciteValues#fromPlan} gives it. */
  private @Nullable Object value(int column) throws SQLException {
    checkOpen();
    if (column < 1 || column > plain.size()) {
      throw SqlErrors.toSqlException(
          new LoamException(
              ErrorCode.UNKNOWN_COLUMN,
              "no such column in the result: position="
                  + column
                  + ", columns="
                  + plain.size()
                  + "; positions begin at 1"));
    }
    if (!onRow) {
      throw SqlErrors.toSqlException(
          new LoamException(
              ErrorCode.INVALID_ARGUMENT, "no current row; call next, and read while it is true"));
    }
    Object value = plainValue(column);
    wasNull = value == null;
    return value == null
        ? null
        : CalciteValues.fromPlan(columnMetaDataList.get(column - 1).type, value);
  }

  private @Nullable Object plainValue(int column) throws SQLException {
    try {
      return plain.get(column - 1).getObject();
    } catch (SQLException e) { // Another thread has closed the result since it was looked at.
      throw isClosed() ? LoamConnection.closed("result set") : SqlErrors.toSqlException(e);
    }
  }

  private <T> @Nullable T read(int column, Function<Object, T> conversion) throws SQLException {
    Object value = value(column);
    return value == null ? null : SqlErrors.translate(() -> conversion.apply(value));
  }

  private <T> T read(int column, Function<Object, T> conversion, T ofNull) throws SQLException {
    T value = read(column, conversion);
    return value == null ? ofNull : value;
  }

  @Override
  public @Nullable String getString(int column) throws SQLException {
    return read(column, Values::toText);
  }

  @Override
  public @Nullable String getString(String label) throws SQLException {
    return getString(findColumn(label));
  }

  @Override
  public boolean getBoolean(int column) throws SQLException {
    return read(column, Values::toBoolean, false);
  }

  @Override
  public boolean getBoolean(String label) throws SQLException {
    return getBoolean(findColumn(label));
  }

  @Override
  public byte getByte(int column) throws SQLException {
    return read(column, Values::toByte, (byte) 0);
  }

  @Override
  public byte getByte(String label) throws SQLException {
    return getByte(findColumn(label));
  }

  @Override
  public short getShort(int column) throws SQLException {
    return read(column, Values::toShort, (short) 0);
  }

  @Override
  public short getShort(String label) throws SQLException {
    return getShort(findColumn(label));
  }

  @Override
  public int getInt(int column) throws SQLException {
    return read(column, Values::toInt, 0);
  }

  @Override
  public int getInt(String label) throws SQLException {
    return getInt(findColumn(label));
  }

  @Override
  public long getLong(int column) throws SQLException {
    return read(column, Values::toLong, 0L);
  }

  @Override
  public long getLong(String label) throws SQLException {
    return getLong(findColumn(label));
  }

  @Override
  public float getFloat(int column) throws SQLException {
    return read(column, Values::toFloat, 0f);
  }

  @Override
  public float getFloat(String label) throws SQLException {
    return getFloat(findColumn(label));
  }

  @Override
  public double getDouble(int column) throws SQLException {
    return read(column, Values::toDouble, 0d);
  }

  @Override
  public double getDouble(String label) throws SQLException {
    return getDouble(findColumn(label));
  }

  @Override
  public @Nullable BigDecimal getBigDecimal(int column) throws SQLException {
    return read(column, Values::toDecimal);
  }

  @Override
  public @Nullable BigDecimal getBigDecimal(String label) throws SQLException {
    return getBigDecimal(findColumn(label));
  }

  @Override
  public @Nullable Date getDate(int column) throws SQLException {
    return read(column, v -> Date.valueOf(Values.toDate(v)));
  }

  @Override
  public @Nullable Date getDate(String label) throws SQLException {
    return getDate(findColumn(label));
  }

  @Override
  public @Nullable Time getTime(int column) throws SQLException {
    return read(column, Classes::toTime);
  }

  @Override
  public @Nullable Time getTime(String label) throws SQLException {
    return getTime(findColumn(label));
  }

  @Override
  public @Nullable Time getTime(int column, @Nullable Calendar calendar) throws SQLException {
    return calendar == null
        ? getTime(column)
        : read(
            column,
            v ->
                new Time(
                    shownIn(Values.toTime(v).atDate(LocalDate.EPOCH), calendar).toEpochMilli()));
  }

  @Override
  public @Nullable Time getTime(String label, @Nullable Calendar calendar) throws SQLException {
    return getTime(findColumn(label), calendar);
  }

  @Override
  public @Nullable Timestamp getTimestamp(int column) throws SQLException {
    return read(column, v -> Timestamp.valueOf(Values.toTimestamp(v)));
  }

  @Override
  public @Nullable Timestamp getTimestamp(String label) throws SQLException {
    return getTimestamp(findColumn(label));
  }

  @Override
  public @Nullable Array getArray(int column) throws SQLException {
    return read(column, ValueArray::of);
  }

  @Override
  public @Nullable Array getArray(String label) throws SQLException {
    return getArray(findColumn(label));
  }

  @Override
  public byte @Nullable [] getBytes(int column) throws SQLException {
    return read(column, v -> Values.toText(v).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public byte @Nullable [] getBytes(String label) throws SQLException {
    return getBytes(findColumn(label));
  }

  @Override
  public @Nullable Reader getCharacterStream(int column) throws SQLException {
    return read(column, v -> new StringReader(Values.toText(v)));
  }

  @Override
  public @Nullable Reader getCharacterStream(String label) throws SQLException {
    return getCharacterStream(findColumn(label));
  }

  @Override
  public @Nullable Object getObject(int column) throws SQLException {
    return read(column, LoamResultSet::toJdbc);
  }

  @Override
  public @Nullable Object getObject(String label) throws SQLException {
    return getObject(findColumn(label));
  }

  @Override
  public @Nullable String getNString(int column) throws SQLException {
    return getString(column);
  }

  @Override
  public @Nullable String getNString(String label) throws SQLException {
    return getString(label);
  }

  @Override
  public <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
    return read(column, v -> type.cast(Classes.convert(v, type)));
  }

  @Override
  public <T> @Nullable T getObject(String label, Class<T> type) throws SQLException {
    return getObject(findColumn(label), type);
  }

  /** Type maps have no effect. */
  @Override
  public @Nullable Object getObject(int column, Map<String, Class<?>> map) throws SQLException {
    return getObject(column);
  }

  @Override
  public @Nullable Object getObject(String label, Map<String, Class<?>> map) throws SQLException {
    return getObject(findColumn(label));
  }

  @Override
  public @Nullable Date getDate(int column, @Nullable Calendar calendar) throws SQLException {
    return calendar == null
        ? getDate(column)
        : read(
            column,
            v -> new Date(shownIn(Values.toDate(v).atStartOfDay(), calendar).toEpochMilli()));
  }

  @Override
  public @Nullable Date getDate(String label, @Nullable Calendar calendar) throws SQLException {
    return getDate(findColumn(label), calendar);
  }

  @Override
  public @Nullable Timestamp getTimestamp(int column, @Nullable Calendar calendar)
      throws SQLException {
    return calendar == null
        ? getTimestamp(column)
        : read(column, v -> Timestamp.from(shownIn(Values.toTimestamp(v), calendar)));
  }

  @Override
  public @Nullable Timestamp getTimestamp(String label, @Nullable Calendar calendar)
      throws SQLException {
    return getTimestamp(findColumn(label), calendar);
  }

  private static Instant shownIn(LocalDateTime time, Calendar calendar) {
    return time.atZone(calendar.getTimeZone().toZoneId()).toInstant();
  }

  /** The value in the class that JDBC gives to its type. */
  private static Object toJdbc(Object value) {
    if (value instanceof LocalDate d) {
      return Date.valueOf(d);
    }
    if (value instanceof LocalDateTime t) {
      return Timestamp.valueOf(t);
    }
    if (value instanceof LocalTime t) {
      return Classes.toTime(t);
    }
    return value instanceof float[] || value instanceof List<?> ? ValueArray.of(value) : value;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return Wrappers.unwrap(type, () -> super.unwrap(type));
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return Wrappers.isWrapperFor(type, () -> super.isWrapperFor(type));
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    checkOpen();
    Execution.checkFetchSize(rows);
    super.setFetchSize(rows);
  }
}
