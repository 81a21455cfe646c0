package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CREATE, DROP and ALTER INDEX, and {@code "docs$segments"}. */
class VectorIndexSqlTest {
  private static final String OPTIONS =
      " WITH ('min_rows' = '0', 'partitions' = '4', 'nprobes' = '4', 'max_segment_bytes' = '65536')";

  @TempDir Path folder;
  private Connection connection;
  private final Random random = new Random(3);

  @BeforeEach
  void open() throws SQLException {
    connection =
        DriverManager.getConnection("jdbc:loam:" + folder + "?autoOptimize=false&buildProcesses=0");
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT, v VECTOR(8), w VECTOR(6))"
            + " WITH ('metric.v' = 'l2', 'metric.w' = 'dot')");
    insert(0, 2_500);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void insert(int from, int to) throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?, 'text', ?, ?)")) {
      for (int id = from; id < to; id++) {
        insert.setLong(1, id);
        insert.setObject(2, vector(8));
        insert.setObject(3, vector(6));
        insert.addBatch();
      }
      insert.executeBatch();
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private float[] vector(int dimension) {
    float[] vector = new float[dimension];
    for (int i = 0; i < dimension; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    return vector;
  }

  private List<List<Object>> rows(String sql) throws SQLException {
    return Sql.rows(connection, sql);
  }

  private List<List<Object>> nearest(String more) throws SQLException {
    return rows(
        "SELECT id, _score FROM vector_search('docs', 'v', '[1,0,0,1,0,0,0,0]', 20" + more + ")");
  }

  @Test
  void indexAnswersAndIsListedUntilItIsDropped() throws SQLException {
    List<List<Object>> exact = nearest(", exact => true");
    Sql.run(connection, "CREATE INDEX by_v ON docs (v) USING IVF_FLAT" + OPTIONS);
    assertThat(nearest("")).isEqualTo(exact);
    assertThat(
            rows("EXPLAIN ANALYZE SELECT id FROM vector_search('docs', 'v', '[1,0,0,1,0,0,0,0]')")
                .toString())
        .contains("segments of by_v=2", "rows of lists=2500", "rows of no segment=0");
    assertThat(
            rows(
                "SELECT \"index\", \"column\", kind, metric, \"rows\", vectors FROM \"docs$segments\""))
        .containsExactly(
            List.of("by_v", "v", "ivf_flat", "l2", 1250L, 1250L),
            List.of("by_v", "v", "ivf_flat", "l2", 1250L, 1250L));
    insert(5_000, 5_010);
    assertThat(rows("SELECT \"rows\" FROM \"docs$segments\" WHERE segment IS NULL"))
        .containsExactly(List.of(10L));
    assertThat(nearest("")).isEqualTo(nearest(", exact => true"));
    Sql.run(connection, "ALTER INDEX BY_V ON docs REBUILD");
    assertThat(rows("SELECT count(*) FROM \"docs$segments\"")).containsExactly(List.of(3L));
    assertThat(nearest("")).isEqualTo(nearest(", exact => true"));
    Sql.run(connection, "DROP INDEX by_v ON docs");
    assertThat(rows("SELECT * FROM \"docs$segments\"")).isEmpty();
    assertThat(rows("SELECT count(*) FROM \"docs$segments\" FOR VERSION AS OF 3"))
        .containsExactly(List.of(2L));
    assertThat(nearest("")).isEqualTo(nearest(", exact => true"));
  }

  private String plan(String search, Object... values) throws SQLException {
    return Sql.rows(connection, "EXPLAIN PLAN FOR SELECT id FROM " + search, values).toString();
  }

  @Test
  void plansTellHowVectorsAreSearched() throws SQLException {
    String search = "vector_search('docs', 'v', ?, filter => 'id < 2000')";
    Object query = new float[] {1, 0, 0, 1, 0, 0, 0, 0};
    String none = "strategy=[exact (no index, and no codes that would pay)]";
    assertThat(plan(search, query)).contains(none);
    Sql.run(connection, "CREATE INDEX \"by v\" ON docs (v) USING IVF_FLAT" + OPTIONS);
    insert(5_000, 5_010);
    assertThat(plan(search, query))
        .contains("strategy=[index by v (ivf_flat, segments=2, uncovered=0)]");
    assertThat(plan("vector_search('docs', 'v', ?, k => ?)", query, 3))
        .contains("strategy=[index by v (ivf_flat, segments=2, uncovered=10)]");
    assertThat(plan("vector_search('docs', 'v', ?, exact => true)", query))
        .contains("strategy=[exact (as asked)]");
    assertThat(plan("vector_search('docs', 'v', ?, exact => ?)", query, true))
        .contains("strategy=[by the arguments, when it runs]");
    assertThat(plan("vector_search('docs', 'v', ?, metric => 'dot')", query))
        .contains("strategy=[exact (index by v is for l2, and no codes that would pay)]");
    assertThat(plan("vector_search('docs', 'v', ?, filter => 'id < 833')", query))
        .contains("less than a third of the rows of index by v are allowed");
    assertThat(plan("vector_search('docs', 'v', ?, filter => 'id < 834')", query))
        .contains("strategy=[index by v ");
    assertThat(
            plan(
                "hybrid(vector_search('docs', 'v', ?), vector_search('docs', 'w', '[1,1,1,1,1,1]'),"
                    + " bm25('docs', 'title', 'text'))",
                query))
        .contains("strategy=[index by v (ivf_flat, segments=2, uncovered=10), exact (no index");
    assertThat(
            Sql.rows(
                    connection,
                    "EXPLAIN PLAN FOR SELECT id FROM docs ORDER BY l2_distance(v, ?) LIMIT 3",
                    query)
                .toString())
        .contains("strategy=[exact (ranked by distance)]");
    assertThat(plan("docs WHERE id < 5")).doesNotContain("strategy");
    Sql.run(connection, "DROP INDEX \"by v\" ON docs");
    assertThat(plan(search, query)).contains(none);
    Sql.run(connection, "CREATE INDEX later ON docs (v) USING ivf_sq");
    assertThat(plan(search, query))
        .contains("exact (index later has 2000 allowed rows, min_rows=100000, and no codes");
  }

  @Test
  void analysesTellWhatAnIndexDid() throws SQLException {
    Sql.run(
        connection, "CREATE INDEX i ON docs (v) USING ivf_flat" + OPTIONS.replace("'4'", "'1'"));
    String all = analysis("vector_search('docs', 'v', '[1,0,0,1,0,0,0,0]')");
    assertThat(all)
        .contains(
            "strategy=[index i (ivf_flat, segments=2, uncovered=0)], allowed=2500",
            "segments of i=2, lists=2, rows of lists=2500, rows of no segment=0",
            "widening rounds=0",
            "vector=");
    Sql.run(connection, "DROP INDEX i ON docs");
    Sql.run(
        connection,
        "CREATE INDEX i ON docs (v) USING ivf_flat WITH ('min_rows' = '0', 'partitions' = '64', 'nprobes' = '1')");
    assertThat(analysis("vector_search('docs', 'v', '[1,0,0,1,0,0,0,0]', k => 2500)"))
        .contains("lists=64", "rows of lists=2500", "widening rounds=6");
    assertThat(analysis("vector_search('docs', 'v', '[1,0,0,1,0,0,0,0]', exact => true)"))
        .contains("strategy=[exact (as asked)]", "vectors compared=2500")
        .doesNotContain("segments of i");
  }

  private String analysis(String search) throws SQLException {
    return rows("EXPLAIN ANALYZE SELECT id FROM " + search).toString();
  }

  @Test
  void indexGoesWithItsColumn() throws SQLException {
    Sql.run(connection, "CREATE INDEX by_w ON docs (w) USING ivf_pq" + OPTIONS);
    Sql.run(connection, "CREATE INDEX IF NOT EXISTS By_W ON docs (v) USING ivf_sq");
    Sql.run(connection, "ALTER TABLE docs DROP COLUMN w");
    assertThat(rows("SELECT * FROM \"docs$segments\"")).isEmpty();
    Sql.run(connection, "DROP INDEX IF EXISTS by_w ON docs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "42P01; CREATE INDEX i ON nothing (v) USING ivf_sq; nothing",
        "42703; CREATE INDEX i ON docs (x) USING ivf_sq; x",
        "42804; CREATE INDEX i ON docs (title) USING ivf_sq; TEXT",
        "22023; CREATE INDEX i ON docs (v) USING hnsw; ivf_flat, ivf_sq, ivf_pq",
        "0A000; CREATE INDEX i ON docs (w) USING ivf_sq; use ivf_flat or ivf_pq",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('lists' = '3'); partitions",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('partitions' = '0'); from 1 to 65536",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('nprobes' = 'many'); many",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('sub_vectors' = '2'); ivf_pq only",
        "22023; CREATE INDEX i ON docs (v) USING ivf_pq WITH ('sub_vectors' = '3'); divisor of the dimension 8",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('max_segment_bytes' = '9'); from 65536",
        "42804; CREATE INDEX i ON sparse (s) USING ivf_sq; SPARSEVECTOR",
        "42804; CREATE INDEX i ON docs (id) USING ivf_flat; BIGINT",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('partitions' = '-1'); value=-1",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('partitions' = '65537'); value=65537",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('partitions' = '1e3'); value=1e3",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('partitions' = ''); value=",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('partitions' = 'NaN'); value=NaN",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('nprobes' = '0'); from 1",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('min_rows' = '-1'); from 0",
        "22023; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('max_segment_bytes' = '99999999999999999999'); from 65536",
        "22023; CREATE INDEX i ON docs (v) USING ivf_pq WITH ('sub_vectors' = '9'); divisor of the dimension 8",
        "42P16; CREATE INDEX i ON docs (v) USING ivf_sq WITH ('nprobes' = '1', 'nprobes' = '2'); nprobes",
        "42P01; CREATE INDEX i ON \"docs$segments\" (kind) USING ivf_sq; docs$segments",
        "42710; CREATE INDEX \"THERE\" ON docs (w) USING ivf_flat; THERE",
        "42710; CREATE INDEX there ON docs (v) USING ivf_flat; there",
        "42704; DROP INDEX ther ON docs; did you mean",
        "42704; ALTER INDEX ther ON docs REBUILD; ther",
        "0A000; CREATE OR REPLACE INDEX there ON docs (v) USING ivf_sq; DROP INDEX IF EXISTS",
        "42601; CREATE INDEX i ON docs (v, w) USING ivf_sq; ,"
      })
  void p11_badInputChangesNothing(String state, String sql, String named) throws SQLException {
    Sql.run(connection, "CREATE TABLE sparse (id BIGINT PRIMARY KEY, s SPARSEVECTOR)");
    Sql.run(connection, "CREATE INDEX there ON docs (v) USING ivf_flat" + OPTIONS);
    List<List<Object>> before = rows("SELECT * FROM \"docs$segments\"");
    assertThatThrownBy(() -> Sql.run(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
        .hasMessageContaining(named);
    assertThat(rows("SELECT * FROM \"docs$segments\"")).isEqualTo(before);
  }
}
