package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that do not fit a type are errors, of constants and of columns; all others are exact. */
class NumberRangeTest {
  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER, d DOUBLE, r REAL, p DECIMAL(38, 0))");
    Sql.run(
        connection,
        "INSERT INTO t VALUES (-9223372036854775808, -2147483648, 'NaN', 'NaN',"
            + " 99999999999999999999999999999999999999)");
    Sql.run(
        connection, "INSERT INTO t VALUES (9223372036854775807, 2147483647, 'Infinity', 1e30, 1)");
    Sql.run(connection, "INSERT INTO t VALUES (1, 1, 1e300, 3e38, NULL)");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static final String LEAST = " FROM t WHERE id = -9223372036854775808";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT abs(-9223372036854775808)",
        "SELECT abs(id)" + LEAST,
        "SELECT abs(n)" + LEAST,
        "SELECT -id" + LEAST,
        "SELECT -n" + LEAST,
        "SELECT id / -1" + LEAST,
        "SELECT n / -1" + LEAST,
        "SELECT id * -1" + LEAST,
        "SELECT CAST(CAST('NaN' AS DOUBLE) AS INTEGER)",
        "SELECT CAST(d AS INTEGER)" + LEAST,
        "SELECT CAST(r AS BIGINT)" + LEAST,
        "SELECT CAST(d AS DECIMAL(10, 2))" + LEAST,
        "SELECT CAST(1e300 AS BIGINT)",
        "SELECT CAST(1e20 AS BIGINT)",
        "SELECT CAST(d AS BIGINT) FROM t WHERE id = 1",
        "SELECT CAST(d AS REAL) FROM t WHERE id = 1",
        "SELECT CAST(1e300 AS REAL)",
        "SELECT CAST('1e400' AS DOUBLE)",
        "SELECT CAST('1e50' AS REAL)",
        "SELECT CAST(d AS SMALLINT) FROM t WHERE id > 1",
        "SELECT CAST(id AS INTEGER)" + LEAST,
        "SELECT CAST(p AS BIGINT)" + LEAST,
        "SELECT CAST(p AS DECIMAL(5, 0))" + LEAST,
        "SELECT CAST(123456.7 AS DECIMAL(5, 1))",
        "SELECT sum(p) FROM t",
        "SELECT sum(p) OVER () FROM t",
        "SELECT sum(a.p) FROM t AS a JOIN t AS b ON a.id = b.id",
        "INSERT INTO t (id, n) SELECT 2, d FROM t WHERE id = 1",
      })
  void whatDoesNotFitIsAnError(String sql) {
    SQLException error = catchThrowableOfType(SQLException.class, () -> Sql.run(connection, sql));
    assertThat(error.getSQLState()).as(error.getMessage()).isEqualTo("22003");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CAST(3.5e0 AS INTEGER) | 4",
        "CAST(-2.5e0 AS INTEGER) | -3",
        "CAST(2.5 AS INTEGER) | 3",
        "CAST(0.49999999999999994e0 AS INTEGER) | 0",
        "CAST(9007199254740993e0 AS BIGINT) | 9007199254740992",
        "CAST(-9223372036854775808e0 AS BIGINT) | -9223372036854775808",
        "CAST(2.675e0 AS DECIMAL(5, 2)) | 2.68",
        "CAST(1e20 AS DECIMAL(38, 0)) | 100000000000000000000",
        "mod(-9223372036854775808, -1) | 0",
        "abs(-9223372036854775807) | 9223372036854775807",
        "abs(-2.50) | 2.50",
        "-7 / 2 | -3",
        "mod(-7, 3) | -1",
      })
  void whatFitsIsExact(String expression, String expected) throws SQLException {
    assertThat(Sql.column(connection, "SELECT " + expression))
        .extracting(value -> new BigDecimal(String.valueOf(value)))
        .containsExactly(new BigDecimal(expected));
  }

  /** Their sum is no BIGINT. */
  @Test
  void meansOfLargeNumbersAreThere() throws SQLException {
    String two = " WHERE id > 0";
    double mean = (0x1p63 + 1) / 2;
    assertThat(Sql.column(connection, "SELECT avg(id) FROM t" + two)).containsExactly(mean);
    assertThat(Sql.column(connection, "SELECT avg(id + 0) FROM t" + two)).containsExactly(mean);
    assertThat(Sql.column(connection, "SELECT avg(id) OVER () FROM t" + two))
        .containsExactly(mean, mean);
    assertThat(
            Sql.rows(
                connection,
                "SELECT n > 0, count(*), avg(a.id), min(a.id) FROM t AS a CROSS JOIN"
                    + " (VALUES (1), (2)) AS v (x) WHERE a.id > 0 GROUP BY n > 0"))
        .containsExactly(List.of(true, 4L, mean, 1L));
    assertThat(Sql.column(connection, "EXPLAIN PLAN FOR SELECT avg(id) FROM t").toString())
        .contains("groups=[", "(id)");
    assertThat(Sql.column(connection, "SELECT avg(id) FROM t WHERE id = 7")).containsOnlyNulls();
    assertThat(Sql.column(connection, "SELECT avg(DISTINCT id) FROM t" + two))
        .containsExactly(mean);
    assertThat(Sql.column(connection, "SELECT avg(id) FILTER (WHERE id > 1) FROM t"))
        .containsExactly(0x1p63);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT DATE '9999-12-31' + INTERVAL '1' DAY",
        "SELECT DATE '0001-01-01' - INTERVAL '1' MONTH",
        "SELECT TIMESTAMP '9999-12-31 23:59:59' + INTERVAL '1' SECOND",
        "SELECT TIMESTAMPADD(DAY, 2147483647, DATE '2024-01-01')",
      })
  void timesStayInTheCalendar(String sql) {
    assertThatThrownBy(() -> Sql.rows(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
  }
}
