package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums of whole numbers outside of scans: exact, or out of range. */
class WholeSumTest {
  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void create() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE big (id BIGINT PRIMARY KEY, n BIGINT, i INTEGER)");
    Sql.update(connection, "INSERT INTO big VALUES (1, ?, 2147483647)", Long.MAX_VALUE);
    Sql.update(connection, "INSERT INTO big VALUES (2, ?, 2147483647)", Long.MAX_VALUE);
    Sql.run(connection, "INSERT INTO big VALUES (3, NULL, NULL)");
    Sql.update(connection, "INSERT INTO big VALUES (4, ?, -5)", -Long.MAX_VALUE);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT sum(n) FROM big WHERE id < 4",
        "SELECT sum(n) OVER () FROM big WHERE id < 4",
        "SELECT id, sum(n) OVER (ORDER BY id) FROM big",
        "SELECT id, sum(n) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM big",
        "SELECT id, sum(n) FROM big WHERE id < 4 GROUP BY ROLLUP (id)",
        "SELECT sum(a.n) FROM big AS a JOIN big AS b ON a.id = b.id WHERE a.id < 4",
        "SELECT sum(n) FROM (SELECT n FROM big WHERE id < 3 UNION ALL SELECT 1) AS u",
        "SELECT sum(n) FROM (VALUES (9223372036854775807), (1)) AS v (n)",
        "SELECT sum(n) FROM (VALUES (CAST(-9223372036854775807 AS BIGINT)), (-2)) AS v (n)",
        "SELECT id FROM big WHERE (SELECT sum(b.n) FROM big AS b WHERE b.id <> big.id + 2) > 0",
        "SELECT * FROM (SELECT sum(n + 0) OVER () AS s FROM big WHERE id < 3) AS w WHERE s > 0",
      })
  void sumsThatDoNotFitAreErrors(String sql) {
    assertThatThrownBy(() -> Sql.rows(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
  }

  @Test
  void sumsThatFitInTheEndAreExact() throws SQLException {
    String join = " FROM big AS a JOIN big AS b ON a.id = b.id";
    assertThat(Sql.rows(connection, "SELECT sum(a.n), sum(a.i), count(a.n)" + join))
        .containsExactly(List.of(Long.MAX_VALUE, 4294967289L, 3L));
    assertThat(Sql.column(connection, "SELECT DISTINCT sum(n) OVER () FROM big"))
        .containsExactly(Long.MAX_VALUE);
    assertThat(Sql.column(connection, "SELECT sum(a.n)" + join + " WHERE a.id = 4"))
        .containsExactly(-Long.MAX_VALUE);
    assertThat(
            Sql.column(
                connection, "SELECT sum(n) FROM (VALUES (-9223372036854775807), (-1)) AS v (n)"))
        .containsExactly(Long.MIN_VALUE);
  }

  @Test
  void sumsOfNothingAndOfPartsStayAsTheyAre() throws SQLException {
    String join = " FROM big AS a JOIN big AS b ON a.id = b.id";
    assertThat(Sql.column(connection, "SELECT sum(a.n)" + join + " WHERE a.id = 3"))
        .containsOnlyNulls();
    assertThat(Sql.column(connection, "SELECT sum(a.n)" + join + " WHERE a.id > 9"))
        .containsOnlyNulls();
    assertThat(
            Sql.column(
                connection,
                "SELECT sum(i) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"
                    + " FROM big ORDER BY id"))
        .containsExactly(2147483647L, 4294967294L, 2147483647L, -5L);
    assertThat(
            Sql.column(
                connection,
                "SELECT sum(DISTINCT a.i)"
                    + join
                    + " UNION ALL SELECT sum(a.i) FILTER (WHERE"
                    + " a.id > 3)"
                    + join))
        .containsExactlyInAnyOrder(2147483642L, -5L);
    assertThat(
            Sql.rows(
                connection,
                "SELECT id, sum(i) FROM big WHERE id <> 2 GROUP BY ROLLUP (id)"
                    + " ORDER BY id NULLS LAST"))
        .last()
        .isEqualTo(Arrays.asList(null, 2147483642L));
    assertThat(
            Sql.column(
                connection,
                "SELECT sum(x) FROM (VALUES (CAST(7 AS TINYINT)), (CAST(8 AS TINYINT))) AS v (x)"))
        .containsExactly(15L);
    assertThat(
            Sql.column(
                connection, "SELECT sum(x) FROM (VALUES (CAST(7 AS SMALLINT)), (NULL)) AS v (x)"))
        .containsExactly(7L);
  }
}
