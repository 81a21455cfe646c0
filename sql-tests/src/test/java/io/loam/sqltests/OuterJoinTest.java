package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows without a partner, in tables whose columns have types of Loam's own. */
class OuterJoinTest {
  private static final String PARTNER = " (SELECT id FROM t WHERE FALSE) b ON a.id = b.id";

  @Test
  void vectorsOfRowsWithoutPartnerAreNull(@TempDir Path folder) throws SQLException {
    try (Connection connection = Sql.connect(folder)) {
      Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, o BIGINT, v VECTOR(2), u UUID)");
      Sql.run(
          connection,
          "INSERT INTO t VALUES (1, 2, '[1,2]', '00000000-0000-0000-0000-000000000001'),"
              + " (2, 3, '[3,4]', 'f0000000-0000-0000-0000-000000000002')");
      assertThat(
              Sql.rows(
                  connection,
                  "SELECT a.id, CAST(b.id AS BIGINT), b.v IS NULL FROM t a"
                      + " LEFT JOIN t b ON b.id = a.o ORDER BY a.id"))
          .hasToString("[[1, 2, false], [2, null, true]]");
      for (String sql :
          new String[] {
            "SELECT * FROM t a LEFT JOIN" + PARTNER,
            "SELECT * FROM t a LEFT JOIN t b USING (id)",
            "SELECT a.id, b.v FROM t a LEFT JOIN t FOR VERSION AS OF 1 b ON a.id = b.id",
            "SELECT a.id, s.v FROM t a LEFT JOIN LATERAL"
                + " TABLE(vector_search('t', 'v', a.v, 1)) s ON TRUE"
          }) {
        assertThat(Sql.rows(connection, sql)).as(sql).hasSize(2);
      }
      assertThat(Sql.rows(connection, "SELECT * FROM t a FULL JOIN t b ON b.id = a.o")).hasSize(3);
      assertThat(
              Sql.rows(
                  connection, "SELECT CAST(max(u) AS VARCHAR), CAST(min(u) AS VARCHAR) FROM t"))
          .hasToString(
              "[[00000000-0000-0000-0000-000000000001, f0000000-0000-0000-0000-000000000002]]");
    }
  }
}
