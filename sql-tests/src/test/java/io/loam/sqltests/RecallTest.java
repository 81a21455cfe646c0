package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
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

/** {@code CALL loam.recall}, and that vector_search uses codes where it may. */
class RecallTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, n INTEGER, embedding VECTOR(64))");
    Random random = new Random(3);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?)")) {
      for (int id = 0; id < 3_000; id++) {
        float[] vector = new float[64];
        for (int i = 0; i < vector.length; i++) {
          vector[i] = (float) random.nextGaussian();
        }
        Sql.bind(insert, id, id % 10, id % 50 == 0 ? null : vector);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void recallOfCodesIsTold() throws SQLException {
    List<Object> row =
        Sql.rows(connection, "CALL loam.recall('docs', 'embedding', samples => 150, k => 20)")
            .get(0);
    // Every fiftieth document has no vector, and every twentieth is a sample, or the next one.
    assertThat(row.get(0)).isEqualTo(150L);
    assertThat(row.get(1)).isEqualTo(20L);
    assertThat((Double) row.get(2)).isBetween(0.95, 1.0);
  }

  @Test
  void recallIsAFunctionToo() throws SQLException {
    for (String call :
        List.of(
            "TABLE(loam_recall('docs', 'embedding', samples => 150, k => 20))",
            "loam_recall('docs', 'embedding', 150, 20)",
            "LOAM_RECALL('DOCS', column => 'EMBEDDING', k => 20, samples => 150) AS r",
            "loam_recall('loam.docs', 'embedding', 150, 20) FOR VERSION AS OF 2")) {
      List<List<Object>> rows = Sql.rows(connection, "SELECT samples, k, recall FROM " + call);
      assertThat(rows).as(call).hasSize(1);
      assertThat(rows.get(0).subList(0, 2)).as(call).containsExactly(150L, 20L);
      assertThat((Double) rows.get(0).get(2)).as(call).isBetween(0.95, 1.0);
    }
    assertThat(
            Sql.rows(
                connection,
                "SELECT count(*) FROM docs d JOIN loam_recall('docs', 'embedding', 1, 1) r"
                    + " ON r.samples = d.id"))
        .hasSize(1);
    assertThat(
            Sql.rows(
                connection,
                "SELECT samples FROM loam_recall('docs', 'embedding') FOR VERSION AS OF 1"))
        .containsExactly(List.of(0L));
  }

  @Test
  void exactSearchComparesAllAndTheOtherFew() throws SQLException {
    assertThat(analysed(", exact => true")).contains("vectors compared=3000", "leaves by codes=0");
    assertThat(analysed("")).contains("leaves by codes=1").doesNotContain("vectors compared=3000");
    assertThat(analysed(""))
        .contains("uncovered=0", "decoded=0")
        .containsPattern("cache hits=[1-9]");
    Sql.run(connection, "INSERT INTO docs SELECT id + 10000, n, embedding FROM docs WHERE n = 1");
    assertThat(analysed("")).contains("uncovered=300", "allowed=3300");
  }

  /** The more is compared, the less is missed; with a part of all rows, none is. */
  @Test
  void refineComparesMore() throws SQLException {
    assertThat(analysed("")).containsPattern("vectors compared=(\\d{3}|1\\d{3}),");
    assertThat(analysed(", refine => 400")).containsPattern("vectors compared=2\\d{3},");
    assertThat(analysed(", refine => 1000000")).contains("vectors compared=2940", "by codes=1");
    assertThat(recall("refine => 50")).isGreaterThanOrEqualTo(recall("refine => 1"));
    assertThat(recall("refine => 1000000")).isEqualTo(1.0);
  }

  @Test
  void nprobesSaysHowManyListsAreLookedAt() throws SQLException {
    Sql.run(
        connection,
        "CREATE INDEX by_vector ON docs (embedding) USING ivf_flat"
            + " WITH ('partitions' = '16', 'nprobes' = '3', 'min_rows' = '0')");
    assertThat(analysed("")).contains("lists=3,");
    assertThat(analysed(", nprobes => 1")).contains("lists=1,");
    assertThat(analysed(", nprobes => 99")).contains("lists=16,", "rows of lists=2940");
    assertThat(recall("nprobes => 16")).isEqualTo(1.0);
    assertThat(recall("nprobes => 1")).isLessThan(recall("nprobes => 8"));
  }

  private double recall(String options) throws SQLException {
    String call = "loam_recall('docs', 'embedding', k => 5, " + options + ")";
    return (Double) Sql.rows(connection, "SELECT recall FROM " + call).get(0).get(0);
  }

  private String analysed(String more) throws SQLException {
    return Sql.rows(
            connection,
            "EXPLAIN ANALYZE SELECT id FROM vector_search('docs', 'embedding', '["
                + "0.5,".repeat(63)
                + "1]', k => 5"
                + more
                + ")")
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CALL loam.recall('docs', 'nope')                      | 42703
          CALL loam.recall('docs', 'n')                         | 42804
          CALL loam.recall('nope', 'embedding')                 | 42P01
          CALL loam.recall('docs', 'embedding', k => 0)         | 22023
          CALL loam.recall('docs', 'embedding', samples => 1.5) | 22023
          CALL loam.recall('docs')                              | 22023
          SELECT * FROM loam_recall('docs', 'nope')             | 42703
          SELECT * FROM loam_recall('docs', 'n')                | 42804
          SELECT * FROM loam_recall('nope', 'embedding')        | 42P01
          SELECT * FROM loam_recall('docs', 'embedding', k => 0) | 22023
          SELECT * FROM loam_recall('docs')                     | 22023
          SELECT * FROM loam_recall('docs', 'embedding', nprobes => -1) | 22023
          SELECT id FROM vector_search('docs', 'embedding', '[1]', nprobes => 1) | 22023
          CALL loam.recall('docs', 'embedding', refine => 1.5)  | 22023
          """)
  void mistakesAreErrors(String call, String sqlState) {
    assertThatThrownBy(() -> Sql.rows(connection, call))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(sqlState));
  }
}
