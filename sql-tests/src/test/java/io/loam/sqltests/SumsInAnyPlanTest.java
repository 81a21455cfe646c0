package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums of doubles are exact and groups of all types are told apart, whatever plan is made. */
class SumsInAnyPlanTest {
  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE x (id BIGINT PRIMARY KEY, k VARCHAR, i INTEGER, u UUID, t TIMESTAMP,"
            + " d DOUBLE, r REAL)");
    String same = ", '00000000-0000-0000-0000-000000000001', TIMESTAMP '2020-01-01 00:00:00', ";
    Sql.run(
        connection,
        "INSERT INTO x VALUES (1, 'a', 1%s1e16, 1e16), (2, 'a', 2%s1, 1), (3, 'a', 3%s-1e16, -1e16)"
            .replace("%s", same));
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  /** One after the other, the numbers add up to 0. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum(d) FROM x",
        "sum(r) FROM x",
        "sum(d) FILTER (WHERE i > 0) FROM x",
        "sum(d) FROM x GROUP BY u",
        "sum(r) FROM x GROUP BY t",
        "max(s) FROM (SELECT sum(d) AS s FROM x GROUP BY ROLLUP(k))",
        "max(s) FROM (SELECT sum(d) AS s, count(DISTINCT u) FROM x)",
        "max(s) FROM (SELECT sum(d) AS s, count(DISTINCT d) FROM x)",
        "max(s) FROM (SELECT sum(d) AS s, stddev_pop(i) FROM x)",
        "min(s) FROM (SELECT sum(d) OVER () AS s FROM x)",
        "sum(d) FROM x WHERE id < 3 OR upper(k) = 'A'",
        "sum(d) FROM (SELECT d FROM x LIMIT 10)",
        "sum(d) FROM (SELECT d FROM x UNION ALL SELECT r FROM x WHERE id < 0)",
        "sum(DISTINCT d * 1) FROM x",
        "sum(a.r) FROM x a JOIN x b ON a.id = b.id",
        "3 * avg(d + 0e0) FROM x",
        "coalesce(sum(d), 1) FROM x WHERE upper(k) = 'B'"
      })
  void areExact(String query) throws SQLException {
    assertThat(Sql.rows(connection, "SELECT " + query)).containsExactly(List.of(1.0));
  }

  @Test
  void frames() throws SQLException {
    assertThat(Sql.rows(connection, "SELECT sum(d) OVER (ORDER BY id) FROM x ORDER BY id"))
        .containsExactly(List.of(1e16), List.of(1e16), List.of(1.0));
  }

  /** Which generated code computes wrongly. */
  @Test
  void framesThatLeaveRowsOutAreRefused() {
    for (String exclude : List.of("CURRENT ROW", "GROUP", "TIES")) {
      assertThatThrownBy(
              () ->
                  Sql.rows(
                      connection,
                      "SELECT sum(i) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING"
                          + " EXCLUDE "
                          + exclude
                          + ") FROM x"))
          .isInstanceOf(SQLFeatureNotSupportedException.class)
          .hasMessageContaining("EXCLUDE " + exclude);
    }
  }

  @Test
  void groupsOfManyColumns() throws SQLException {
    assertThat(
            Sql.rows(
                connection,
                "SELECT count(DISTINCT k), count(DISTINCT i), count(DISTINCT id), count(DISTINCT u)"
                    + " FROM x"))
        .containsExactly(List.of(1L, 3L, 3L, 1L));
    assertThat(
            Sql.rows(
                connection,
                "SELECT count(DISTINCT i), count(DISTINCT id), count(DISTINCT u) FROM x GROUP BY k"))
        .containsExactly(List.of(3L, 3L, 1L));
    assertThat(
            Sql.rows(
                connection,
                "SELECT count(DISTINCT u), max(n), sum(n)"
                    + " FROM (SELECT k, i, u, count(DISTINCT id) AS n FROM x GROUP BY k, i, u)"))
        .containsExactly(List.of(1L, 1L, 3L));
  }

  @Test
  void groupingSetsOfUuids() throws SQLException {
    assertThat(
            Sql.rows(
                connection,
                "SELECT k, i, u, t, count(*) FROM x GROUP BY ROLLUP(k, i, u, t) ORDER BY 5 DESC"))
        .hasSize(11)
        .first()
        .satisfies(row -> assertThat(row.get(4)).isEqualTo(3L));
  }
}
