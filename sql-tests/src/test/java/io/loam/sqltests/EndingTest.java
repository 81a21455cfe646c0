package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that would compute for hours, without reading or returning a row, can be ended. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndingTest {
  private static final String NUMBERS =
      "WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r WHERE x < %d) SELECT ";

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void open() throws SQLException {
    connection = Sql.connect(folder);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  static Stream<String> longQueries() {
    return Stream.of(
        NUMBERS.formatted(1_000)
            + "count(*) FROM r a, r b, r c, r d WHERE a.x + b.x + c.x < d.x - 999",
        NUMBERS.formatted(1_000)
            + "count(*) FROM r a JOIN r b ON a.x / 1001 = b.x / 1001"
            + " JOIN r c ON b.x / 1001 = c.x / 1001 JOIN r d ON c.x / 1001 = d.x / 1001",
        NUMBERS.formatted(300_000)
            + "sum(s) FROM (SELECT sum(x) OVER (ORDER BY x ROWS BETWEEN 100000 PRECEDING"
            + " AND CURRENT ROW) AS s FROM r) AS q",
        NUMBERS.formatted(2_000_000_000) + "count(*) FROM r");
  }

  @ParameterizedTest
  @MethodSource("longQueries")
  void byCancel(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      SQLException error = failure(statement, sql, () -> cancel(statement));
      assertThat(error.getSQLState()).as(error.getMessage()).isEqualTo("57014");
    }
  }

  @Test
  void byTheTimeout() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> statement.executeQuery(longQueries().findFirst().orElseThrow()))
          .isInstanceOf(SQLTimeoutException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("longQueries")
  void byAnInterruptOfTheThread(String sql) throws SQLException {
    Thread thread = Thread.currentThread();
    try (Statement statement = connection.createStatement()) {
      SQLException error = failure(statement, sql, thread::interrupt);
      assertThat(error.getSQLState()).as(error.getMessage()).isEqualTo("57014");
      assertThat(thread.isInterrupted()).isTrue();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** Closing an open result of a query that was told to end is no error. */
  @ParameterizedTest
  @ValueSource(strings = {"n", "count(*) OVER (ORDER BY n)"})
  void closingAfterTheEnd(String column) throws SQLException {
    String sql =
        "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 500) SELECT "
            + column
            + " FROM r";
    try (Connection own = Sql.connect(folder)) {
      try (Statement statement = own.createStatement()) {
        ResultSet rows = statement.executeQuery(sql);
        assertThat(rows.next()).isTrue();
      }
      try (Statement statement = own.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        assertThat(rows.next()).isTrue();
        statement.cancel();
      }
      Statement open = own.createStatement();
      assertThat(open.executeQuery(sql).next()).isTrue();
    }
  }

  private static void cancel(Statement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** How a query fails while something is done again and again. */
  private static SQLException failure(Statement statement, String sql, Runnable meanwhile) {
    ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    ScheduledFuture<?> repeated =
        executor.scheduleWithFixedDelay(meanwhile, 100, 50, TimeUnit.MILLISECONDS);
    try {
      return catchThrowableOfType(SQLException.class, () -> statement.executeQuery(sql));
    } finally {
      repeated.cancel(false);
      executor.shutdown();
      while (!executor.isTerminated()) {
        Thread.onSpinWait(); // the wait must not be interrupted
      }
    }
  }
}
