package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes of vectors that are few, equal, huge, or not there. */
class IndexEdgeTest {
  private static final String ALL = ", nprobes => 65536, refine => 65536";

  @TempDir Path folder;
  private Connection connection;
  private final Random random = new Random(8);

  @BeforeEach
  void open() throws SQLException {
    connection =
        DriverManager.getConnection("jdbc:loam:" + folder + "?autoOptimize=false&buildProcesses=0");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void create(int dimension, String metric) throws SQLException {
    Sql.run(connection, "DROP TABLE IF EXISTS docs");
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, v VECTOR(%d)) WITH ('metric.v' = '%s')"
            .formatted(dimension, metric));
  }

  private void insert(int first, int count, IntFunction<float @Nullable []> vectors)
      throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO docs VALUES (?, ?)")) {
      for (int i = 0; i < count; i++) {
        insert.setLong(1, first + i);
        insert.setObject(2, vectors.apply(i));
        insert.addBatch();
      }
      insert.executeBatch();
    }
    connection.commit();
    connection.setAutoCommit(true);
    Sql.run(connection, "CALL loam.optimize('docs')");
  }

  private float[] random(int dimension, double scale) {
    float[] vector = new float[dimension];
    for (int d = 0; d < dimension; d++) {
      vector[d] = (float) (scale * Math.max(-1, Math.min(1, random.nextGaussian() / 4)));
    }
    return vector;
  }

  private static float[] filled(int dimension, float value) {
    float[] vector = new float[dimension];
    java.util.Arrays.fill(vector, value);
    return vector;
  }

  private void index(String kind) throws SQLException {
    Sql.run(
        connection,
        "CREATE INDEX i ON docs (v) USING "
            + kind
            + " WITH ('min_rows' = '0', 'partitions' = '9', 'max_segment_bytes' = '65536')");
  }

  private void check(int dimension, float[]... queries) throws SQLException {
    List<float[]> all = new ArrayList<>(List.of(queries));
    all.add(random(dimension, 1));
    all.add(filled(dimension, 0));
    all.add(filled(dimension, 3e38f));
    for (float[] query : all) {
      for (int k : new int[] {3, 5_000}) {
        List<List<@Nullable Object>> exact = search(query, k, ", exact => true");
        assertThat(search(query, k, ALL).equals(exact))
            .as("dimension=%d, k=%d, query starts with %s", dimension, k, query[0])
            .isTrue();
        assertThat(search(query, k, "").size())
            .as("dimension=%d, k=%d, query starts with %s", dimension, k, query[0])
            .isEqualTo(exact.size());
      }
    }
    assertThat(Sql.rows(connection, "CALL loam.verify('docs')").toString())
        .contains("problems=0");
  }

  private List<List<@Nullable Object>> search(float[] query, int k, String more)
      throws SQLException {
    return Sql.rows(
        connection,
        "SELECT id, _score FROM vector_search('docs', 'v', ?, k => " + k + more + ")",
        (Object) query);
  }

  @ParameterizedTest
  @CsvSource({"ivf_flat,cosine,1", "ivf_sq,l2,64", "ivf_pq,dot,6"})
  void p7_allRowsAreFound(String kind, String metric, int dimension) throws SQLException {
    grow(kind, metric, dimension);
  }

  @ParameterizedTest
  @Tag("long")
  @CsvSource({
    "ivf_flat,cosine", "ivf_flat,l2", "ivf_flat,dot", "ivf_sq,cosine", "ivf_sq,l2", "ivf_pq,cosine",
    "ivf_pq,l2", "ivf_pq,dot"
  })
  void p7_allRowsAreFoundAtManyDimensions(String kind, String metric) throws SQLException {
    for (int dimension : new int[] {1, 6, 64, 2_048}) {
      grow(kind, metric, dimension);
    }
  }

  private void grow(String kind, String metric, int dimension) throws SQLException {
    // An empty table, whose rows come later.
    create(dimension, metric);
    index(kind);
    check(dimension);
    insert(0, 1, i -> random(dimension, 1));
    check(dimension);
    Sql.run(connection, "ALTER INDEX i ON docs REBUILD");
    check(dimension);
    // Rows without vectors, then equal ones, then zeros, tiny and huge ones.
    create(dimension, metric);
    insert(0, 1_050, i -> null);
    index(kind);
    check(dimension);
    insert(2_000, 1_050, i -> filled(dimension, 0.25f));
    Sql.run(connection, "ALTER INDEX i ON docs REBUILD");
    check(dimension, filled(dimension, 0.25f));
    insert(4_000, 50, i -> filled(dimension, 0));
    insert(5_000, 300, i -> random(dimension, 1e-30));
    insert(6_000, 300, i -> random(dimension, 1));
    Sql.run(connection, "ALTER INDEX i ON docs REBUILD");
    check(dimension);
    insert(7_000, 300, i -> random(dimension, 1e25));
    insert(8_000, 300, i -> random(dimension, Float.MAX_VALUE));
    check(dimension, random(dimension, 1e25));
    Sql.run(connection, "ALTER INDEX i ON docs REBUILD");
    check(dimension, random(dimension, 1e25));
  }

  /** Codes beside splits, without an index. */
  @ParameterizedTest
  @ValueSource(strings = {"cosine", "l2", "dot"})
  void p7_codesOfLongAndShortVectors(String metric) throws SQLException {
    double[] scales = {1e-30, 1, 1, 1, 1e15, 1e25, Float.MAX_VALUE};
    create(64, metric);
    insert(0, 1_100, i -> random(64, scales[i % scales.length]));
    check(64, random(64, 1e-30), random(64, 1e15));
  }

  /** Vectors far away from those that the index was trained on. */
  @Test
  void p7_vectorsOutsideOfTheSample() throws SQLException {
    for (String kind : List.of("ivf_flat", "ivf_sq", "ivf_pq")) {
      for (int dimension : new int[] {8, 96}) {
        create(dimension, "l2");
        insert(0, 1_100, i -> i == 7 ? random(dimension, 3e38) : random(dimension, 1));
        index(kind);
        check(dimension, random(dimension, 3e38));
      }
    }
  }
}
