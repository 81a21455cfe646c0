package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Filters that allow nothing, a row, a ten thousandth, and so on to all, of 20,000 rows which all
 * match: by whatever strategy, k rows come, with the scores that they have without a filter.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SelectivityTest {
  private static final int ROWS = 20_000;
  private static final int[] ALLOWED = {0, 1, 2, 200, 2_000, 10_000, ROWS};
  private static final int DIMENSION = 64;
  private static final Random RANDOM = new Random(5);
  private static final String VECTOR = vector(RANDOM);

  /** The answer may miss a row, but has right scores and enough of them. */
  private static final String NEAR = "near";

  private static final String VECTORS =
      "vector_search('docs', 'v', '" + VECTOR + "', k => %2$d, filter => '%1$s'";
  private static final String TEXTS =
      "bm25('docs', 'body', 'all wing', k => %2$d, filter => '%1$s')";

  @TempDir static Path folder;
  private static Connection connection;

  /** By name, a query with {@code %1$s} for a condition and {@code %2$d} for k. */
  private static Map<String, String> searches() {
    Map<String, String> searches = new LinkedHashMap<>();
    searches.put("text", "SELECT id, _score FROM " + TEXTS);
    searches.put(
        "phrase",
        "SELECT id, _score FROM bm25('docs', 'body', '\"all of\" wi*', k => %2$d, filter => '%1$s')");
    searches.put(
        "match",
        "SELECT id, score() FROM docs WHERE match(body, 'all heat') AND %1$s"
            + " ORDER BY score() DESC LIMIT %2$d");
    searches.put(
        "sparse",
        "SELECT id, _score FROM sparse_match('docs', 's', '{\"1\":2,\"5\":-0.5}', k => %2$d,"
            + " modifier => 'idf', filter => '%1$s')");
    searches.put("exact", "SELECT id, _score FROM " + VECTORS + ", exact => true)");
    searches.put(
        "distance",
        "SELECT id, 1 - cosine_distance(v, '%s') FROM docs WHERE %%1$s ORDER BY cosine_distance(v, '%s') LIMIT %%2$d"
            .formatted(VECTOR, VECTOR));
    searches.put(NEAR, "SELECT id, _score FROM " + VECTORS + ")");
    return searches;
  }

  private static String vector(Random random) {
    return IntStream.range(0, DIMENSION)
        .mapToObj(i -> Float.toString((float) random.nextGaussian()))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** A row's {@code part} is its place in a shuffled order. */
  @BeforeAll
  static void load() throws SQLException {
    connection =
        DriverManager.getConnection("jdbc:loam:" + folder + "?autoOptimize=false&buildProcesses=0");
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, part INTEGER, body TEXT ANALYZER 'whitespace',"
            + " v VECTOR(64), s SPARSEVECTOR)");
    for (int from = 0; from < ROWS; from += ROWS / 2) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?, ?, ?)")) {
        for (int id = from; id < from + ROWS / 2; id++) {
          float[] v = new float[DIMENSION];
          for (int i = 0; i < DIMENSION; i++) {
            v[i] = (float) RANDOM.nextGaussian();
          }
          Sql.bind(
              insert,
              (long) id,
              id * 7_919 % ROWS,
              "all of " + Row.text(RANDOM),
              v,
              "{\"1\":" + RANDOM.nextInt(1, 9) + ",\"5\":" + RANDOM.nextInt(-9, 0) + "}");
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static void check(String name, String sql) throws SQLException {
    List<List<@Nullable Object>> all = rows(sql, ROWS, ROWS);
    assertThat(all).hasSize(ROWS);
    for (int allowed : ALLOWED) {
      List<List<@Nullable Object>> expected = new ArrayList<>();
      for (List<@Nullable Object> row : all) {
        if ((Long) Objects.requireNonNull(row.get(0)) * 7_919 % ROWS < allowed) {
          expected.add(row);
        }
      }
      for (int k : new int[] {1, 25, 2_500}) {
        List<List<@Nullable Object>> top = rows(sql, allowed, k);
        assertThat(top).as(name + allowed).hasSize(Math.min(k, allowed));
        if (name.equals(NEAR)) {
          assertThat(expected).containsAll(top);
          assertThat(top.stream().filter(expected.subList(0, top.size())::contains).count())
              .as("k=%d, allowed=%d", k, allowed)
              .isGreaterThanOrEqualTo(top.size() * 8L / 10);
        } else {
          assertThat(top).as(name + allowed).isEqualTo(expected.subList(0, top.size()));
        }
      }
    }
  }

  private static List<List<@Nullable Object>> rows(String sql, int allowed, int k)
      throws SQLException {
    return Sql.rows(connection, sql.formatted("part < " + allowed, k));
  }

  @Test
  @Order(1)
  void p7_everySearch() throws SQLException {
    for (Map.Entry<String, String> search : searches().entrySet()) {
      check(search.getKey(), search.getValue());
    }
  }

  @Test
  @Order(2)
  void p7_hybrids() throws SQLException {
    String hybrid =
        "SELECT id, _score FROM hybrid("
            + TEXTS.replace("%2$d", "20000")
            + ", "
            + VECTORS.replace("%2$d", "20000")
            + "), k => %2$d, fusion => 'weighted')";
    for (int allowed : ALLOWED) {
      List<List<@Nullable Object>> all = rows(hybrid, allowed, ROWS);
      assertThat(all).hasSize(allowed);
      for (int k : new int[] {1, 25, 2_500}) {
        assertThat(rows(hybrid, allowed, k)).isEqualTo(all.subList(0, Math.min(k, allowed)));
      }
    }
  }

  /** Last, since from here on the index answers where a third of the rows is allowed. */
  @Test
  @Order(3)
  void p7_anIndexAndItsColumn() throws SQLException {
    Sql.run(
        connection,
        "CREATE INDEX by_v ON docs (v) USING ivf_sq WITH ('partitions' = '32', 'min_rows' = '0')");
    String search = "SELECT id, _score FROM " + VECTORS + ")";
    for (int allowed : ALLOWED) {
      String plan =
          Sql.column(connection, "EXPLAIN PLAN FOR " + search.formatted("part < " + allowed, 5))
              .toString();
      assertThat(plan)
          .contains(allowed * 3 >= ROWS ? "strategy=[index by_v" : "index by_v")
          .contains(allowed * 3 >= ROWS ? "uncovered=0" : "codes");
    }
    check(NEAR, search);
  }
}
