package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What columns of a size take: up to their limits, and nothing beyond, however it is written. */
class ColumnLimitsTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE t (id BIGINT PRIMARY KEY, i INTEGER, s SMALLINT, b TINYINT, v VARCHAR(3),"
            + " d DECIMAL(5,2), u UUID)");
    Sql.run(connection, "CREATE TABLE wide (id BIGINT PRIMARY KEY, n BIGINT, v VARCHAR, d DOUBLE)");
    Sql.run(connection, "INSERT INTO t VALUES (1, 1, 1, 1, 'a', 1, NULL)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** Column, the last value that it takes, the first that it does not, and the error of that. */
  static Stream<Arguments> limits() {
    return Stream.of(
        Arguments.of("i", "2147483647", "2147483648", "22003"),
        Arguments.of("i", "-2147483648", "-2147483649", "22003"),
        Arguments.of("s", "32767", "32768", "22003"),
        Arguments.of("s", "-32768", "-32769", "22003"),
        Arguments.of("b", "127", "128", "22003"),
        Arguments.of("b", "-128", "-129", "22003"),
        Arguments.of("d", "999.99", "1000.00", "22003"),
        Arguments.of("d", "999.994", "999.995", "22003"),
        Arguments.of("v", "'abc'", "'abcd'", "22001"),
        Arguments.of("v", "'\uD83D\uDE00\u00E9c'", "'\uD83D\uDE00\u00E9cd'", "22001"),
        Arguments.of("u", "'01234567-89ab-cdef-0123-456789abcdef'", "'1-2-3-4-5'", "22P02"));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void everyWayToWriteHasThem(String column, String last, String first, String state)
      throws SQLException {
    List<String> statements =
        List.of(
            "INSERT INTO t (id, %s) VALUES (2, %s)",
            "INSERT INTO t (id, %s) SELECT 3, %s FROM t WHERE id = 1",
            "UPSERT INTO t (id, %s) VALUES (4, %s)",
            "UPDATE t SET %s = %s WHERE id = 1",
            "MERGE INTO t USING (VALUES (1)) AS n (id) ON t.id = n.id"
                + " WHEN MATCHED THEN UPDATE SET %s = %s",
            "MERGE INTO t USING (VALUES (5)) AS n (id) ON t.id = n.id"
                + " WHEN NOT MATCHED THEN INSERT (id, %s) VALUES (n.id, %s)");
    for (String statement : statements) {
      List<List<Object>> before = Sql.rows(connection, "SELECT * FROM t ORDER BY id");
      assertState(state, () -> Sql.run(connection, statement.formatted(column, first)));
      assertThat(Sql.rows(connection, "SELECT * FROM t ORDER BY id")).isEqualTo(before);
      assertThat(Sql.run(connection, statement.formatted(column, last))).isEqualTo(1);
    }
    assertThat(Sql.column(connection, "SELECT DISTINCT " + column + " FROM t")).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void parametersAndBatchesHaveThem(String column, String last, String first, String state)
      throws SQLException {
    String insert = "INSERT INTO t (id, " + column + ") VALUES (?, ?)";
    assertState(state, () -> Sql.update(connection, insert, 2, value(first)));
    assertThat(Sql.update(connection, insert, 2, value(last))).isEqualTo(1);
    try (PreparedStatement batch = connection.prepareStatement(insert)) {
      Sql.bind(batch, 3, value(last));
      batch.addBatch();
      assertThatThrownBy(
              () -> {
                Sql.bind(batch, 4, value(first)); // What its class cannot hold fails here already.
                batch.addBatch();
                batch.executeBatch();
              })
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo(state);
                if (e instanceof BatchUpdateException failed) {
                  assertThat(failed.getUpdateCounts()).isEmpty();
                  assertThat(e.getMessage()).contains("row=2");
                }
              });
    }
    assertThat(Sql.column(connection, "SELECT id FROM t ORDER BY id")).containsExactly(1L, 2L);
  }

  private static Object value(String literal) {
    return literal.startsWith("'")
        ? literal.substring(1, literal.length() - 1)
        : new BigDecimal(literal);
  }

  @Test
  void rowsOfOtherTablesHaveThemToo() throws SQLException {
    Sql.run(connection, "INSERT INTO wide VALUES (7, 32768, 'abcd', 999.995)");
    assertState("22003", () -> Sql.run(connection, "INSERT INTO t (id, s) SELECT id, n FROM wide"));
    assertState("22001", () -> Sql.run(connection, "INSERT INTO t (id, v) SELECT id, v FROM wide"));
    assertState("22003", () -> Sql.run(connection, "INSERT INTO t (id, d) SELECT id, d FROM wide"));
    assertState("22P02", () -> Sql.run(connection, "INSERT INTO t (id, u) SELECT id, v FROM wide"));
    assertState(
        "22001",
        () ->
            Sql.run(
                connection,
                "MERGE INTO t USING wide AS w ON t.id = w.id - 6"
                    + " WHEN MATCHED THEN UPDATE SET v = w.v"));
    assertThat(Sql.column(connection, "SELECT count(*) FROM t WHERE v = 'a'")).containsExactly(1L);
  }

  @Test
  void addedColumnsHaveThem() throws SQLException {
    Sql.run(connection, "ALTER TABLE t ADD COLUMN w VARCHAR(2)");
    Sql.run(connection, "ALTER TABLE t ADD COLUMN x SMALLINT");
    assertState("22001", () -> Sql.run(connection, "UPDATE t SET w = 'abc'"));
    assertState("22003", () -> Sql.run(connection, "UPDATE t SET x = 40000"));
    assertThat(Sql.run(connection, "UPDATE t SET w = 'ab', x = 30000")).isEqualTo(1);
    assertThat(Sql.rows(connection, "SELECT column_name, type FROM \"t$columns\" WHERE type <> ''"))
        .contains(List.of("s", "SMALLINT"), List.of("v", "VARCHAR(3)"), List.of("w", "VARCHAR(2)"));
  }

  /** One rule, half up, whether Calcite casts, a parameter is bound or a column is computed. */
  @Test
  void decimalsAreRoundedByOneRule() throws SQLException {
    for (String number : List.of("1.235", "-1.235", "1.2349", "0.005", "-0.005", "1.225")) {
      BigDecimal rounded = new BigDecimal(number).setScale(2, java.math.RoundingMode.HALF_UP);
      Sql.run(connection, "DELETE FROM t");
      Sql.run(connection, "INSERT INTO t (id, d) VALUES (1, " + number + ")");
      Sql.run(connection, "INSERT INTO t (id, d) SELECT 2, " + number + " + 0.000 FROM t");
      Sql.update(connection, "INSERT INTO t (id, d) VALUES (3, ?)", new BigDecimal(number));
      Sql.update(connection, "INSERT INTO t (id, d) VALUES (4, ?)", number);
      Sql.run(connection, "INSERT INTO t (id) VALUES (5)");
      Sql.update(connection, "UPDATE t SET d = ? WHERE id = 5", new BigDecimal(number));
      Sql.run(
          connection, "INSERT INTO t (id, d) VALUES (6, CAST('" + number + "' AS DECIMAL(5,2)))");
      assertThat(Sql.column(connection, "SELECT d FROM t ORDER BY id"))
          .as(number)
          .hasSize(6)
          .containsOnly(rounded);
      assertThat(Sql.column(connection, "VALUES (CAST(" + number + " AS DECIMAL(5,2)))"))
          .containsExactly(rounded);
    }
  }

  private static void assertState(
      String state, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(state));
  }
}
