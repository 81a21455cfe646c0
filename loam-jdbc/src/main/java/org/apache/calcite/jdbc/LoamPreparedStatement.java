package org.apache.calcite.jdbc;

import io.loam.calcite.LoamBulk;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.Parameters;
import io.loam.jdbc.SqlErrors;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.AvaticaSite;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.remote.TypedValue;
import org.jspecify.annotations.Nullable;

/** A statement that was planned once; its parameters take any value that their types can mean. */
final class LoamPreparedStatement extends CalcitePreparedStatement implements Executing {
  private final CalcitePrepare.CalciteSignature<?> plan;
  private final Execution execution;

  LoamPreparedStatement(
      LoamConnection connection,
      Meta.@Nullable StatementHandle handle,
      CalcitePrepare.CalciteSignature<?> plan,
      int resultSetHoldability)
      throws SQLException {
    super(
        connection,
        handle,
        plan,
        ResultSet.TYPE_FORWARD_ONLY,
        ResultSet.CONCUR_READ_ONLY,
        resultSetHoldability);
    this.plan = plan;
    this.execution = new Execution(cancelFlag, connection.settings().queryTimeoutSeconds());
  }

  @Override
  public Execution execution() {
    return execution;
  }

  @Override
  protected void checkOpen() throws SQLException {
    if (isClosed()) {
      throw LoamConnection.closed("statement");
    }
  }

  // Execution

  @Override
  public boolean execute() throws SQLException {
    checkOpen();
    checkBound();
    return execution.turn(
        () -> {
          boolean rows = execution.run(() -> super.execute());
          if (!rows) {
            execution.finish();
          }
          return rows;
        });
  }

  @Override
  public ResultSet executeQuery() throws SQLException {
    checkOpen();
    if (changesData()) {
      throw SqlErrors.toSqlException(LoamStatement.noRows());
    }
    return execution.turn(
        () -> {
          execute();
          return openResultSet;
        });
  }

  @Override
  public long executeLargeUpdate() throws SQLException {
    checkOpen();
    if (!changesData()) {
      throw SqlErrors.toSqlException(LoamStatement.rowsGiven());
    }
    return execution.turn(
        () -> {
          execute();
          return updateCount;
        });
  }

  private boolean changesData() {
    return plan.statementType.canUpdate();
  }

  private void checkBound() throws SQLException {
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] == null) {
        throw SqlErrors.toSqlException(
            new LoamException(
                ErrorCode.INVALID_ARGUMENT,
                "parameter without a value: position=" + (i + 1) + "; set it, or call setNull"));
      }
    }
  }

  @Override
  public void addBatch() throws SQLException {
    checkOpen();
    checkBound();
    execution.turn(() -> parameterValueBatch.add(copyParameterValues()));
  }

  @Override
  public void clearBatch() throws SQLException {
    checkOpen();
    execution.turn(() -> parameterValueBatch.removeIf(row -> true));
  }

  /** One commit, or a part of the transaction. */
  @Override
  public long[] executeLargeBatch() throws SQLException {
    checkOpen();
    return execution.turn(this::runBatch);
  }

  private long[] runBatch() throws SQLException {
    List<List<TypedValue>> rows = new ArrayList<>(parameterValueBatch);
    parameterValueBatch.clear();
    if (rows.isEmpty()) {
      return new long[0];
    }
    if (!changesData()) {
      throw Batches.failure(SqlErrors.toSqlException(LoamStatement.rowsGiven()), new long[0]);
    }
    return LoamBulk.supports(plan) ? executeAsOne(rows) : executeEach(rows);
  }

  private long[] executeAsOne(List<List<TypedValue>> rows) throws SQLException {
    List<@Nullable Object[]> values = new ArrayList<>(rows.size());
    for (List<TypedValue> row : rows) {
      values.add(row.stream().map(TypedValue::toLocal).toArray());
    }
    try {
      return execution.run(() -> LoamBulk.execute(plan, dataContext(), values));
    } catch (SQLException e) {
      throw Batches.failure(e, new long[0]);
    } finally {
      execution.finish();
    }
  }

  private DataContext dataContext() throws SQLException {
    Map<String, Object> variables = new HashMap<>(plan.internalParameters);
    variables.put(DataContext.Variable.CANCEL_FLAG.camelName, cancelFlag);
    return getConnection().createDataContext(variables, plan.rootSchema);
  }

  private long[] executeEach(List<List<TypedValue>> rows) throws SQLException {
    LoamConnection connection = (LoamConnection) getConnection();
    long[] counts = new long[rows.size()];
    int[] done = {0};
    TypedValue[] before = slots.clone();
    boolean rolledBack = connection.getAutoCommit();
    try {
      return connection.together(
          () -> {
            for (List<TypedValue> row : rows) {
              row.toArray(slots);
              counts[done[0]] = executeLargeUpdate();
              done[0]++;
            }
            return counts;
          });
    } catch (SQLException e) {
      throw Batches.failure(
          e, rolledBack ? new long[0] : Arrays.copyOf(counts, done[0]), done[0] + 1);
    } finally {
      System.arraycopy(before, 0, slots, 0, slots.length);
    }
  }

  // Parameters

  private void bind(int position, @Nullable Object value) throws SQLException {
    checkOpen();
    AvaticaParameter parameter = getParameter(position);
    slots[position - 1] =
        value == null
            ? TypedValue.EXPLICIT_NULL
            : SqlErrors.translate(
                () ->
                    TypedValue.ofLocal(
                        ColumnMetaData.Rep.OBJECT, toPlan(parameter, position, value)));
  }

  /** The value as a plan takes it; an error also names the parameter. */
  private static Object toPlan(AvaticaParameter parameter, int position, Object value) {
    try {
      return CalciteValues.toPlan(parameter.parameterType, parameter.typeName, value);
    } catch (LoamException e) {
      throw e.with("parameter=" + position);
    }
  }

  @Override
  protected AvaticaParameter getParameter(int position) throws SQLException {
    int count = plan.parameters.size();
    if (position < 1 || position > count) {
      throw SqlErrors.toSqlException(
          new LoamException(
              ErrorCode.INVALID_ARGUMENT,
              "no such parameter: position="
                  + position
                  + ", parameters="
                  + count
                  + "; positions begin at 1"));
    }
    return plan.parameters.get(position - 1);
  }

  /** Reached by setters of classes that no type of Loam takes. */
  @Override
  protected AvaticaSite getSite(int position) throws SQLException {
    checkOpen();
    throw LoamConnection.unsupported(
        "parameter of this class: position=" + position, "use setObject or setString");
  }

  @Override
  public void setObject(int position, @Nullable Object x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setObject(int position, @Nullable Object x, int sqlType) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setObject(int position, @Nullable Object x, int sqlType, int scale)
      throws SQLException {
    bind(position, x);
  }

  @Override
  public void setObject(int position, @Nullable Object x, SQLType type) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setObject(int position, @Nullable Object x, SQLType type, int scale)
      throws SQLException {
    bind(position, x);
  }

  @Override
  public void setNull(int position, int sqlType) throws SQLException {
    bind(position, null);
  }

  @Override
  public void setNull(int position, int sqlType, String typeName) throws SQLException {
    bind(position, null);
  }

  @Override
  public void setBoolean(int position, boolean x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setByte(int position, byte x) throws SQLException {
    bind(position, (int) x);
  }

  @Override
  public void setShort(int position, short x) throws SQLException {
    bind(position, (int) x);
  }

  @Override
  public void setInt(int position, int x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setLong(int position, long x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setFloat(int position, float x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setDouble(int position, double x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setBigDecimal(int position, @Nullable BigDecimal x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setString(int position, @Nullable String x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setNString(int position, @Nullable String x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setArray(int position, @Nullable Array x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setDate(int position, @Nullable Date x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setDate(int position, @Nullable Date x, @Nullable Calendar calendar)
      throws SQLException {
    bind(position, x == null ? null : shownIn(new Timestamp(x.getTime()), calendar).toLocalDate());
  }

  @Override
  public void setTimestamp(int position, @Nullable Timestamp x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setTimestamp(int position, @Nullable Timestamp x, @Nullable Calendar calendar)
      throws SQLException {
    bind(position, x == null ? null : shownIn(x, calendar));
  }

  private static LocalDateTime shownIn(Timestamp time, @Nullable Calendar calendar) {
    return calendar == null
        ? time.toLocalDateTime()
        : LocalDateTime.ofInstant(time.toInstant(), calendar.getTimeZone().toZoneId());
  }

  @Override
  public void setTime(int position, @Nullable Time x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setTime(int position, @Nullable Time x, @Nullable Calendar calendar)
      throws SQLException {
    bind(position, x == null ? null : shownIn(new Timestamp(x.getTime()), calendar).toLocalTime());
  }

  @Override
  public void setClob(int position, @Nullable Clob x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setCharacterStream(int position, @Nullable Reader x) throws SQLException {
    bindText(position, x, Long.MAX_VALUE);
  }

  @Override
  public void setCharacterStream(int position, @Nullable Reader x, int length) throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setCharacterStream(int position, @Nullable Reader x, long length)
      throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setNCharacterStream(int position, @Nullable Reader x) throws SQLException {
    bindText(position, x, Long.MAX_VALUE);
  }

  @Override
  public void setNCharacterStream(int position, @Nullable Reader x, long length)
      throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setClob(int position, @Nullable Reader x) throws SQLException {
    bindText(position, x, Long.MAX_VALUE);
  }

  @Override
  public void setClob(int position, @Nullable Reader x, long length) throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setNClob(int position, @Nullable Reader x) throws SQLException {
    bindText(position, x, Long.MAX_VALUE);
  }

  @Override
  public void setNClob(int position, @Nullable Reader x, long length) throws SQLException {
    bindText(position, x, length);
  }

  @Override
  public void setNClob(int position, @Nullable NClob x) throws SQLException {
    bind(position, x);
  }

  @Override
  public void setAsciiStream(int position, @Nullable InputStream x) throws SQLException {
    bindText(position, ascii(x), Long.MAX_VALUE);
  }

  @Override
  public void setAsciiStream(int position, @Nullable InputStream x, int length)
      throws SQLException {
    bindText(position, ascii(x), length);
  }

  @Override
  public void setAsciiStream(int position, @Nullable InputStream x, long length)
      throws SQLException {
    bindText(position, ascii(x), length);
  }

  private static @Nullable Reader ascii(@Nullable InputStream x) {
    return x == null ? null : new InputStreamReader(x, StandardCharsets.US_ASCII);
  }

  private void bindText(int position, @Nullable Reader x, long length) throws SQLException {
    bind(position, x == null ? null : SqlErrors.translate(() -> Parameters.read(x, length)));
  }

  // What the statement takes and gives

  /** None where the statement gives no rows. */
  @Override
  public @Nullable ResultSetMetaData getMetaData() throws SQLException {
    checkOpen();
    return changesData() ? null : super.getMetaData();
  }

  @Override
  public String getParameterClassName(int position) throws SQLException {
    AvaticaParameter parameter = getParameter(position);
    return JdbcTypes.classOf(parameter.parameterType, parameter.typeName).getName();
  }

  @Override
  public boolean isSigned(int position) throws SQLException {
    return JdbcTypes.isNumber(getParameter(position).parameterType);
  }

  // Refused or without an effect

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    throw LoamConnection.generatedKeys();
  }

  @Override
  public boolean execute(String sql) throws SQLException {
    throw sqlGiven();
  }

  @Override
  public ResultSet executeQuery(String sql) throws SQLException {
    throw sqlGiven();
  }

  @Override
  public long executeLargeUpdate(String sql) throws SQLException {
    throw sqlGiven();
  }

  @Override
  public void addBatch(String sql) throws SQLException {
    throw sqlGiven();
  }

  private static SQLException sqlGiven() {
    return SqlErrors.toSqlException(
        new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            "SQL given to a prepared statement; call the method without SQL"));
  }

  /** Does not wait for the thread that holds this statement's monitor while it plans. */
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  @Override
  public void cancel() throws SQLException {
    checkOpen();
    execution.cancel();
  }

  @Override
  public int getQueryTimeout() throws SQLException {
    checkOpen();
    return execution.timeoutSeconds();
  }

  @Override
  public void setQueryTimeout(int seconds) throws SQLException {
    checkOpen();
    SqlErrors.translate(() -> execution.setTimeoutSeconds(seconds));
  }

  @Override
  public void setLargeMaxRows(long max) throws SQLException {
    checkOpen();
    Execution.checkMaxRows(max);
    super.setLargeMaxRows(max);
  }

  @Override
  public void setFetchSize(int rows) throws SQLException {
    checkOpen();
    Execution.checkFetchSize(rows);
    super.setFetchSize(rows);
  }

  @Override
  public void setMaxFieldSize(int max) throws SQLException {
    checkOpen();
    Execution.checkMaxFieldSize(max);
  }

  @Override
  public void setCursorName(String name) throws SQLException {
    throw LoamConnection.unsupported("cursor names", "do without them");
  }

  /** A hint: JDBC's escapes are always understood. */
  @Override
  public void setEscapeProcessing(boolean enable) throws SQLException {
    checkOpen();
  }

  /** A hint, without an effect. */
  @Override
  public void setPoolable(boolean poolable) throws SQLException {
    checkOpen();
  }

  /** Does not wait for a thread that uses the statement. */
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  @Override
  public void close() throws SQLException {
    SqlErrors.translate(() -> execution.close(this::close_));
  }

  @Override
  protected void close_() {
    super.close_();
    ((LoamConnection) connection).remove(this);
  }

  @Override
  public void closeThen(Runnable then) {
    execution.close(
        () -> {
          try {
            close_();
          } finally {
            then.run();
          }
        });
  }

  @Override
  public boolean isClosed() throws SQLException {
    return execution.isClosing() || super.isClosed();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return Wrappers.unwrap(type, () -> super.unwrap(type));
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return Wrappers.isWrapperFor(type, () -> super.isWrapperFor(type));
  }
}
