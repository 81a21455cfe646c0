package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code CALL loam.optimize} and what tells about it. */
class OptimizeSqlTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT, title TEXT)");
    insert(0);
    insert(10_000);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void insert(int from) throws SQLException {
    String rows =
        IntStream.range(from, from + 1_001)
            .mapToObj(id -> "(" + id + ", 'a slender wing', 'w" + id % 10 + "')")
            .collect(Collectors.joining(", "));
    Sql.run(connection, "INSERT INTO docs VALUES " + rows);
  }

  private List<List<Object>> rows(String sql) throws SQLException {
    return Sql.rows(connection, sql);
  }

  @Test
  void optimizeTellsWhatItDid() throws SQLException {
    Sql.run(connection, "DELETE FROM docs WHERE id < 10");
    String search =
        "SELECT id, _score FROM bm25('docs', 'title,body', 'wing w3', k => 500) ORDER BY id";
    List<List<Object>> before = rows(search);
    assertThat(rows("SELECT state, step, detail FROM \"docs$maintenance\""))
        .containsExactly(
            List.of("due", "splits", "many small splits: count=2, live=1992, deleted=10"),
            List.of("due", "fragments", "many small fragments: count=2, live=1992, deleted=10"));
    List<List<Object>> steps = rows("CALL loam.optimize('docs')");
    assertThat(steps)
        .containsExactly(
            List.of("splits", "splits: 2 became 1; rows: 2002 became 1992", 5L),
            List.of("fragments", "fragments: 2 became 1; rows: 2002 became 1992", 6L));
    assertThat(rows("CALL loam.optimize('docs')")).isEmpty();
    assertThat(rows(search)).isEqualTo(before);
    assertThat(
            rows(
                "SELECT state, step, detail, version FROM \"docs$maintenance\""
                    + " WHERE happened_at >= DATE '2020-01-01'"))
        .containsExactly(
            List.of("done", "fragments", "fragments: 2 became 1; rows: 2002 became 1992", 6L),
            List.of("done", "splits", "splits: 2 became 1; rows: 2002 became 1992", 5L));
    assertThat(rows("SELECT kind FROM \"docs$manifests\" WHERE version > 4"))
        .containsExactly(List.of("maintenance"), List.of("maintenance"));
  }

  @Test
  void splitsAreListedAtAnyVersion() throws SQLException {
    Sql.run(connection, "DELETE FROM docs WHERE id < 10");
    rows("CALL loam.optimize(collection => 'loam.docs', part => 'Splits')");
    String columns =
        "SELECT documents, deleted, first_row_id, last_row_id, row_id_ranges, schema_version,"
            + " tokens FROM \"docs$splits\"";
    assertThat(rows(columns))
        .containsExactly(List.of(1_992L, 0L, 11L, 2_002L, 1, 1, "body 5976, title 1992"));
    assertThat(rows(columns + " FOR VERSION AS OF 4"))
        .containsExactly(
            List.of(1_001L, 10L, 1L, 1_001L, 1, 1, "body 3003, title 1001"),
            List.of(1_001L, 0L, 1_002L, 2_002L, 1, 1, "body 3003, title 1001"));
    assertThat(rows("SELECT count(*) FROM \"docs$splits\" WHERE bytes > 1000 AND split <> ''"))
        .containsExactly(List.of(1L));
  }

  @Test
  void badCallsAreRefused() {
    assertFails("CALL loam.optimize('docs', 'segments')", "22023", "part=segments", "splits, ");
    assertFails("CALL loam.optimize('dogs')", "42P01", "docs");
    assertFails("CALL loam.optimize()", "22023", "argument missing: argument=collection");
    assertFails("SELECT * FROM \"docs$maintenance\" FOR VERSION AS OF 2", "0A000", "leave");
    assertFails("SELECT * FROM \"docs$splits\" FOR VERSION AS OF 9", "22023", "version=9");
  }

  private void assertFails(String sql, String sqlState, String... parts) {
    assertThatThrownBy(() -> Sql.run(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(sqlState))
        .hasMessageContainingAll(parts);
  }
}
