package org.apache.calcite.jdbc;

import io.loam.calcite.LoamBulk;
import io.loam.jdbc.SqlErrors;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.avatica.remote.TypedValue;
import org.jspecify.annotations.Nullable;

/** A statement that was planned once: its executions, one by one or in batches. */
final class LoamPreparedStatement extends BoundStatement implements Executing {
  private final CalcitePrepare.CalciteSignature<?> plan;
  private final Execution execution;

  LoamPreparedStatement(
      LoamConnection connection,
      Meta.@Nullable StatementHandle handle,
      CalcitePrepare.CalciteSignature<?> plan,
      int resultSetHoldability)
      throws SQLException {
    super(connection, handle, plan, resultSetHoldability);
    this.plan = plan;
    this.execution =
        new Execution(cancelFlag, connection.settings().queryTimeoutSeconds(), this::close_);
  }

  @Override
  public Execution execution() {
    return execution;
  }

  @Override
  protected void checkOpen() throws SQLException {
    if (isClosed()) {
      throw Refusals.closed("statement");
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

  /** None where the statement gives no rows. */
  @Override
  public @Nullable ResultSetMetaData getMetaData() throws SQLException {
    checkOpen();
    return changesData() ? null : super.getMetaData();
  }

  // Refused or without an effect

  @Override
  public ResultSet getGeneratedKeys() throws SQLException {
    throw Refusals.generatedKeys();
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
    return Refusals.invalid("SQL given to a prepared statement; call the method without SQL");
  }

  /**
   * Does not wait for the thread that holds this statement's monitor while it plans, and does
   * nothing where the statement was closed just before.
   */
  @SuppressWarnings("UnsynchronizedOverridesSynchronized")
  @Override
  public void cancel() throws SQLException {
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
    throw Refusals.unsupported("cursor names", "do without them");
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
    execution.close();
  }

  @Override
  protected void close_() {
    super.close_();
    ((LoamConnection) connection).remove(this);
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
