package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import java.io.StringReader;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Calendar;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements over VALUES, which need no collection. */
class StatementTest {
  private final FakeWarehouse warehouse = FakeWarehouse.withEveryKind();
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = FakeDriver.connect(warehouse);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    assertThat(warehouse.closed).isEqualTo(1);
  }

  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getErrorCode()).isEqualTo(code.vendorCode());
              assertThat(e.getSQLState()).isEqualTo(code.sqlState());
              assertThat(e.getMessage())
                  .contains(";")
                  .doesNotContain("org.apache", "Error while", "exception while");
            });
  }

  @Test
  void readsRows() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("VALUES (1, 'a'), (2, CAST(NULL AS VARCHAR))")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(1)).isEqualTo(1);
      assertThat(rows.getString(2)).isEqualTo("a");
      assertThat(rows.wasNull()).isFalse();
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(2)).isNull();
      assertThat(rows.wasNull()).isTrue();
      assertThat(rows.getInt(2)).isZero();
      assertThat(rows.next()).isFalse();
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> rows.getString(1));
    }
  }

  @Test
  void badReadsAreErrors() throws SQLException {
    Statement statement = connection.createStatement();
    try (ResultSet rows = statement.executeQuery("SELECT 3000000000 AS a, 'x' AS b")) {
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> rows.getString(1));
      assertThat(rows.next()).isTrue();
      assertFails(ErrorCode.UNKNOWN_COLUMN, () -> rows.getString(3));
      assertFails(ErrorCode.UNKNOWN_COLUMN, () -> rows.getString("c"));
      assertFails(ErrorCode.OUT_OF_RANGE, () -> rows.getInt("A"));
      assertFails(ErrorCode.INVALID_TEXT, () -> rows.getInt("b"));
      assertFails(ErrorCode.TYPE_MISMATCH, () -> rows.getObject(1, Thread.class));
      statement.close();
      assertFails(ErrorCode.CLOSED, rows::next);
    }
  }

  @Test
  void everyWayToBindAndRead() throws SQLException {
    UUID uuid = new UUID(1, 2);
    LocalDateTime time = LocalDateTime.of(2026, 1, 31, 12, 0, 0, 123_000_000);
    assertThat(bound("BIGINT", "7").getLong(1)).isEqualTo(7);
    assertThat(bound("INTEGER", 7L).getObject(1)).isEqualTo(7);
    assertThat(bound("DOUBLE", new BigDecimal("0.5")).getDouble(1)).isEqualTo(0.5);
    assertThat(bound("REAL", 0.5).getObject(1, Float.class)).isEqualTo(0.5f);
    assertThat(bound("DECIMAL(12,2)", "1.25").getBigDecimal(1)).isEqualTo("1.25");
    assertThat(bound("BOOLEAN", "true").getBoolean(1)).isTrue();
    assertThat(bound("VARCHAR", uuid).getObject(1, UUID.class)).isEqualTo(uuid);
    assertThat(bound("DATE", LocalDate.of(2026, 1, 31)).getObject(1))
        .isEqualTo(Date.valueOf("2026-01-31"));
    assertThat(bound("DATE", "1883-01-31").getObject(1, LocalDate.class)).isEqualTo("1883-01-31");
    assertThat(bound("TIMESTAMP(3)", time).getObject(1, LocalDateTime.class)).isEqualTo(time);
    assertThat(bound("TIMESTAMP(3)", time).getTimestamp(1)).isEqualTo(Timestamp.valueOf(time));
    assertThat(bound("TIMESTAMP(3)", Instant.parse("2026-01-31T12:00:00.123Z")).getString(1))
        .isEqualTo("2026-01-31 12:00:00.123");
    assertThat(bound("TIMESTAMP(3)", time).getObject(1, OffsetDateTime.class))
        .isEqualTo("2026-01-31T12:00:00.123Z");
    assertThat(bound("VARCHAR", null).getObject(1)).isNull();
    Calendar tokyo = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"), Locale.ROOT);
    assertThat(bound("TIMESTAMP(3)", time).getTimestamp(1, tokyo).toInstant())
        .isEqualTo("2026-01-31T03:00:00.123Z");
  }

  @Test
  void vectorsInEveryForm() throws SQLException {
    float[] vector = {0.5f, -2f, 3f};
    Array array = connection.createArrayOf("real", new Object[] {0.5f, -2f, 3f});
    for (Object value :
        List.of(vector, new double[] {0.5, -2, 3}, List.of(0.5, -2, 3), "[0.5,-2,3]", array)) {
      ResultSet rows = bound("VECTOR(3)", value);
      assertThat(rows.getObject(1, float[].class)).isEqualTo(vector);
      assertThat((float[]) rows.getArray(1).getArray()).isEqualTo(vector);
      assertThat((float[]) rows.getArray(1).getArray(2, 2)).isEqualTo(new float[] {-2f, 3f});
      assertThat(rows.getString(1)).isEqualTo("[0.5,-2.0,3.0]");
      assertThat(rows.getObject(1)).hasToString("[0.5,-2.0,3.0]");
      assertThat(rows.getObject(1, double[].class)).containsExactly(0.5, -2, 3);
    }
  }

  private ResultSet bound(String type, Object value) throws SQLException {
    PreparedStatement statement = connection.prepareStatement("VALUES (CAST(? AS " + type + "))");
    statement.setObject(1, value);
    ResultSet rows = statement.executeQuery();
    assertThat(rows.next()).isTrue();
    return rows;
  }

  @Test
  void settersOfEveryClass() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("VALUES (CAST(? AS VARCHAR))")) {
      statement.setCharacterStream(1, new StringReader("long text"), 4);
      assertThat(only(statement)).isEqualTo("long");
      statement.setNString(1, "é");
      assertThat(only(statement)).isEqualTo("é");
      statement.setObject(1, 5, JDBCType.VARCHAR);
      assertThat(only(statement)).isEqualTo("5");
      statement.setNull(1, Types.VARCHAR);
      assertThat(only(statement)).isNull();
      assertFails(ErrorCode.UNSUPPORTED, () -> statement.setBytes(1, new byte[1]));
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> statement.setString(2, "x"));
      statement.clearParameters();
      assertFails(ErrorCode.INVALID_ARGUMENT, statement::executeQuery);
    }
    try (PreparedStatement statement = connection.prepareStatement("VALUES (CAST(? AS BIGINT))")) {
      assertThat(statement.getParameterMetaData().getParameterType(1)).isEqualTo(Types.BIGINT);
      assertFails(ErrorCode.INVALID_TEXT, () -> statement.setString(1, "x"));
      assertFails(ErrorCode.TYPE_MISMATCH, () -> statement.setObject(1, new Object()));
    }
  }

  private static String only(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  @Test
  void commentsAndBlanksMayFollowAFinalSemicolon() throws SQLException {
    String sql = "SELECT 1; -- one\n /* ; */ ; ";
    try (Statement statement = connection.createStatement();
        PreparedStatement prepared = connection.prepareStatement(sql)) {
      assertThat(statement.execute(sql)).isTrue();
      assertThat(prepared.execute()).isTrue();
      String two = "SELECT 1; SELECT 2";
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> statement.execute(two),
              () -> statement.addBatch(two),
              () -> connection.prepareStatement(two),
              () -> connection.prepareCall(two))) {
        assertThatThrownBy(call)
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42601"))
            .hasMessageContaining("several statements: the second begins at line=1, column=11");
      }
    }
  }

  @Test
  void theGreatestMaxRowsIsNoLimit() throws SQLException {
    String sql = "SELECT * FROM (VALUES 1, 2, 3) AS t (n)";
    for (long max : new long[] {Long.MAX_VALUE, Integer.MAX_VALUE + 1L, Integer.MAX_VALUE}) {
      try (Statement statement = connection.createStatement();
          PreparedStatement prepared = connection.prepareStatement(sql)) {
        statement.setLargeMaxRows(max);
        prepared.setLargeMaxRows(max);
        assertThat(statement.getLargeMaxRows()).isEqualTo(max);
        assertThat(statement.getMaxRows()).isEqualTo(Integer.MAX_VALUE);
        assertThat(count(statement.executeQuery(sql))).isEqualTo(3);
        assertThat(count(prepared.executeQuery())).isEqualTo(3);
      }
    }
  }

  @Test
  void maxRowsHoldForBothKinds() throws SQLException {
    String sql = "VALUES 1, 2, 3";
    try (Statement statement = connection.createStatement();
        PreparedStatement prepared = connection.prepareStatement(sql)) {
      statement.setMaxRows(2);
      prepared.setMaxRows(2);
      assertThat(count(statement.executeQuery(sql))).isEqualTo(2);
      assertThat(count(prepared.executeQuery())).isEqualTo(2);
      prepared.setMaxRows(0);
      assertThat(count(prepared.executeQuery())).isEqualTo(3);
    }
  }

  private static int count(ResultSet rows) throws SQLException {
    int count = 0;
    try (rows) {
      while (rows.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void timeoutEndsTheQueryAndOnlyIt() throws Exception {
    try (PreparedStatement statement = connection.prepareStatement("VALUES 1, 2")) {
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> statement.setQueryTimeout(-1));
      assertThat(count(statement.executeQuery())).isEqualTo(2); // so that the next one is fast
      statement.setQueryTimeout(2);
      ResultSet rows = statement.executeQuery();
      assertThat(rows.next()).isTrue();
      Thread.sleep(2_500);
      assertThatThrownBy(rows::next)
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("seconds=2");
      statement.setQueryTimeout(300);
      assertThat(count(statement.executeQuery())).isEqualTo(2);
    }
  }

  @Test
  void cancelEndsTheQueryAndOnlyIt() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery("VALUES 1, 2");
      assertThat(rows.next()).isTrue();
      statement.cancel();
      assertFails(ErrorCode.CANCELLED, rows::next);
      assertThat(count(statement.executeQuery("VALUES 1, 2"))).isEqualTo(2);
    }
  }

  @Test
  void closesInAnyOrder() throws SQLException {
    Statement statement = connection.createStatement();
    ResultSet rows = statement.executeQuery("VALUES 1");
    PreparedStatement prepared = connection.prepareStatement("VALUES 1");
    connection.close();
    connection.close();
    assertThat(rows.isClosed()).isTrue();
    assertThat(statement.isClosed()).isTrue();
    assertThat(prepared.isClosed()).isTrue();
    statement.close();
    rows.close();
    assertThat(connection.isValid(0)).isFalse();
    assertFails(ErrorCode.CLOSED, () -> statement.execute("VALUES 1"));
    assertFails(ErrorCode.CLOSED, prepared::executeQuery);
    assertFails(ErrorCode.CLOSED, connection::createStatement);
    assertFails(ErrorCode.CLOSED, () -> connection.prepareStatement("VALUES 1"));
    assertFails(ErrorCode.CLOSED, connection::getMetaData);
  }

  @Test
  void nextExecutionClosesTheLastResult() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      ResultSet first = statement.executeQuery("VALUES 1");
      ResultSet second = statement.executeQuery("VALUES 2");
      assertThat(first.isClosed()).isTrue();
      assertThat(second.next()).isTrue();
      statement.closeOnCompletion();
      second.close();
      assertThat(statement.isClosed()).isTrue();
    }
  }

  @Test
  void transactionsHaveTwoModes() throws SQLException {
    assertThat(connection.getAutoCommit()).isTrue();
    connection.setAutoCommit(true);
    assertFails(ErrorCode.NO_TRANSACTION, connection::commit);
    assertFails(ErrorCode.NO_TRANSACTION, connection::rollback);
    connection.setAutoCommit(false);
    assertThat(connection.getAutoCommit()).isFalse();
    connection.commit();
    connection.rollback();
    connection.setAutoCommit(true);
    assertFails(ErrorCode.UNSUPPORTED, connection::setSavepoint);
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    assertFails(
        ErrorCode.UNSUPPORTED,
        () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
  }

  @Test
  void otherRefusals() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertFails(ErrorCode.UNSUPPORTED, statement::getGeneratedKeys);
      assertFails(
          ErrorCode.UNSUPPORTED,
          () -> statement.executeUpdate("x", Statement.RETURN_GENERATED_KEYS));
      assertFails(
          ErrorCode.UNSUPPORTED, () -> connection.prepareStatement("x", new String[] {"i"}));
      assertFails(ErrorCode.UNSUPPORTED, connection::createBlob);
      assertFails(ErrorCode.INVALID_ARGUMENT, () -> statement.executeUpdate("VALUES 1"));
      assertFails(ErrorCode.INVALID_CONNECTION_PROPERTY, () -> connection.setSchema("nope"));
    }
    assertThat(connection.getSchema()).isEqualTo("loam");
    assertThat(connection.nativeSQL("VALUES 1")).isEqualTo("VALUES 1");
  }

  @Test
  void statementsMayComeFromPools() throws SQLException {
    assertThat(connection.isValid(1)).isTrue();
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> connection.isValid(-1));
    connection.setReadOnly(true);
    assertThat((Throwable) connection.getWarnings()).isNull();
    connection.clearWarnings();
    connection.setCatalog("x");
    assertThat(connection.getTypeMap()).isEmpty();
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.setPoolable(false);
      statement.setFetchSize(10);
    }
  }

  @Test
  void aCancelAfterTheChangeHasNoEffect() throws SQLException {
    try (Statement statement = connection.createStatement();
        PreparedStatement prepared =
            connection.prepareStatement("CREATE TABLE second_one (id BIGINT PRIMARY KEY)")) {
      warehouse.onCreated = () -> cancel(statement);
      assertThat(statement.executeUpdate("CREATE TABLE first_one (id BIGINT PRIMARY KEY)"))
          .isZero();
      warehouse.onCreated = () -> cancel(prepared);
      assertThat(prepared.executeUpdate()).isZero();
    }
  }

  private static void cancel(Statement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** The warehouse is let go by the statement that uses it last. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closingWaitsForNoOtherThread(boolean prepared) throws Exception {
    CountDownLatch planning = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    String sql = "SELECT c_integer FROM every_kind";
    PreparedStatement before = connection.prepareStatement("VALUES 1");
    Statement statement = connection.createStatement();
    warehouse.onFind =
        () -> {
          planning.countDown();
          try {
            closed.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    CompletableFuture<SQLException> other =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                if (prepared) {
                  connection.prepareStatement(sql).executeQuery().close();
                } else {
                  statement.executeQuery(sql).close();
                }
                return new SQLException("nothing");
              } catch (SQLException e) {
                return e;
              }
            });
    planning.await();
    connection.close();
    assertThat(connection.isClosed()).isTrue();
    assertThat(statement.isClosed()).isTrue();
    assertThat(before.isClosed()).isTrue();
    assertThat(warehouse.closed).isZero();
    closed.countDown();
    assertThat(other.get(60, TimeUnit.SECONDS).getSQLState())
        .isEqualTo(prepared ? ErrorCode.CLOSED.sqlState() : ErrorCode.CANCELLED.sqlState());
    assertThat(warehouse.closed).isEqualTo(1);
  }
}
