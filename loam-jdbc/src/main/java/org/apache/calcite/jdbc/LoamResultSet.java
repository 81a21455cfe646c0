package org.apache.calcite.jdbc;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.SqlErrors;
import io.loam.jdbc.Values;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
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
 * Rows of a result. Every getter reads the plan's own value and converts it with {@link Values}.
 */
final class LoamResultSet extends LabelledResultSet {
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
      throw Refusals.closed("result set");
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
      throw Refusals.invalid("no current row; call next, and read while it is true");
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
      throw isClosed() ? Refusals.closed("result set") : SqlErrors.toSqlException(e);
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
  public boolean getBoolean(int column) throws SQLException {
    return read(column, Values::toBoolean, false);
  }

  @Override
  public byte getByte(int column) throws SQLException {
    return read(column, Values::toByte, (byte) 0);
  }

  @Override
  public short getShort(int column) throws SQLException {
    return read(column, Values::toShort, (short) 0);
  }

  @Override
  public int getInt(int column) throws SQLException {
    return read(column, Values::toInt, 0);
  }

  @Override
  public long getLong(int column) throws SQLException {
    return read(column, Values::toLong, 0L);
  }

  @Override
  public float getFloat(int column) throws SQLException {
    return read(column, Values::toFloat, 0f);
  }

  @Override
  public double getDouble(int column) throws SQLException {
    return read(column, Values::toDouble, 0d);
  }

  @Override
  public @Nullable BigDecimal getBigDecimal(int column) throws SQLException {
    return read(column, Values::toDecimal);
  }

  @Override
  public @Nullable Date getDate(int column) throws SQLException {
    return read(column, v -> Date.valueOf(Values.toDate(v)));
  }

  @Override
  public @Nullable Time getTime(int column) throws SQLException {
    return read(column, Classes::toTime);
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
  public @Nullable Timestamp getTimestamp(int column) throws SQLException {
    return read(column, v -> Timestamp.valueOf(Values.toTimestamp(v)));
  }

  @Override
  public @Nullable Array getArray(int column) throws SQLException {
    return read(column, ValueArray::of);
  }

  @Override
  public byte @Nullable [] getBytes(int column) throws SQLException {
    return read(column, Classes::toBytes);
  }

  @Override
  public @Nullable Reader getCharacterStream(int column) throws SQLException {
    return read(column, v -> new StringReader(Values.toText(v)));
  }

  @Override
  public @Nullable Reader getNCharacterStream(int column) throws SQLException {
    return getCharacterStream(column);
  }

  /** What is not ASCII becomes a question mark. */
  @Override
  public @Nullable InputStream getAsciiStream(int column) throws SQLException {
    return read(
        column,
        v -> new ByteArrayInputStream(Values.toText(v).getBytes(StandardCharsets.US_ASCII)));
  }

  /** That of {@link #getBytes}. */
  @Override
  public @Nullable InputStream getBinaryStream(int column) throws SQLException {
    return read(
        column, v -> new ByteArrayInputStream(Values.toText(v).getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public @Nullable Clob getClob(int column) throws SQLException {
    return getNClob(column);
  }

  @Override
  public @Nullable NClob getNClob(int column) throws SQLException {
    return read(column, v -> new TextClob(Values.toText(v)));
  }

  @Override
  public @Nullable Object getObject(int column) throws SQLException {
    return read(column, Classes::toJdbc);
  }

  @Override
  public @Nullable String getNString(int column) throws SQLException {
    return getString(column);
  }

  @Override
  public <T> @Nullable T getObject(int column, Class<T> type) throws SQLException {
    return read(column, v -> type.cast(Classes.convert(v, type)));
  }

  /** Type maps have no effect. */
  @Override
  public @Nullable Object getObject(int column, Map<String, Class<?>> map) throws SQLException {
    return getObject(column);
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
  public @Nullable Timestamp getTimestamp(int column, @Nullable Calendar calendar)
      throws SQLException {
    return calendar == null
        ? getTimestamp(column)
        : read(column, v -> Timestamp.from(shownIn(Values.toTimestamp(v), calendar)));
  }

  private static Instant shownIn(LocalDateTime time, Calendar calendar) {
    return time.atZone(calendar.getTimeZone().toZoneId()).toInstant();
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
