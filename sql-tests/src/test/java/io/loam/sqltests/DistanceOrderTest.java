package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ORDER BY a distance of a vector column: rows by brute force, and pushed plans. */
class DistanceOrderTest {
  private static final String QUERY = "[1,-2,0.5]";
  private static final float[] VECTOR = {1, -2, 0.5f};
  private static final List<String> FUNCTIONS =
      List.of("cosine_distance", "l2_distance", "negative_inner_product");

  @TempDir static Path folder;
  private static Connection connection;
  private static final TreeMap<Long, float @Nullable []> LIVE = new TreeMap<>();

  private record Near(long id, @Nullable Double distance) {
    static final Comparator<Near> ORDER =
        Comparator.comparing(Near::distance, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(Near::id);
  }

  @BeforeAll
  static void load() throws SQLException {
    Random random = new Random(5);
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, n INTEGER, v VECTOR(3))");
    long id = 0;
    for (int size : new int[] {1_100, 40, 3}) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?)")) {
        for (int i = 0; i < size; i++, id++) {
          float[] v = {random.nextInt(-3, 4), random.nextInt(-3, 4), random.nextInt(-3, 4)};
          LIVE.put(id, id % 9 == 4 ? null : v);
          Sql.bind(insert, id, (int) (id % 10), LIVE.get(id));
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
    Sql.run(connection, "DELETE FROM docs WHERE MOD(id, 5) = 1");
    LIVE.keySet().removeIf(key -> key % 5 == 1);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static List<Near> nearest(String function) {
    List<Near> all = new ArrayList<>();
    LIVE.forEach((id, v) -> all.add(new Near(id, v == null ? null : distance(function, v))));
    return all.stream().sorted(Near.ORDER).toList();
  }

  private static double distance(String function, float[] v) {
    double dot = 0;
    double squares = 0;
    double mine = 0;
    double theirs = 0;
    for (int i = 0; i < 3; i++) {
      dot += VECTOR[i] * v[i];
      squares += (VECTOR[i] - v[i]) * (VECTOR[i] - v[i]);
      mine += VECTOR[i] * VECTOR[i];
      theirs += v[i] * v[i];
    }
    return switch (function) {
      case "l2_distance" -> Math.sqrt(squares);
      case "cosine_distance" -> 1 - (theirs == 0 ? 0 : dot / Math.sqrt(mine * theirs));
      default -> 0.0 - dot;
    };
  }

  private static List<Near> read(String sql, Object... values) throws SQLException {
    List<Near> rows = new ArrayList<>();
    for (List<@Nullable Object> row : Sql.rows(connection, sql, values)) {
      rows.add(new Near((Long) row.get(0), (Double) row.get(1)));
    }
    return rows;
  }

  private static String plan(String query, Object... values) throws SQLException {
    return Objects.requireNonNull(
            Sql.column(connection, "EXPLAIN PLAN FOR " + query, values).get(0))
        .toString()
        .strip();
  }

  @Test
  void p7_theNearestRowsThenThoseWithoutAVector() throws SQLException {
    for (String function : FUNCTIONS) {
      List<Near> all = nearest(function);
      for (String call : List.of(function + "(v, ?)", function + "(?, v)")) {
        String sql = "SELECT id, " + call + " AS d FROM docs ORDER BY " + call;
        assertThat(read(sql, VECTOR, VECTOR)).as(sql).isEqualTo(all);
        for (int limit : new int[] {1, 10, 700, 5_000}) {
          for (int offset : new int[] {0, 3, 690}) {
            assertThat(read(sql + " LIMIT ? OFFSET ?", VECTOR, VECTOR, limit, offset))
                .as(sql)
                .isEqualTo(all.stream().skip(offset).limit(limit).toList());
          }
        }
      }
    }
  }

  @Test
  void whereNarrowsTheSearch() throws SQLException {
    for (String function : FUNCTIONS) {
      String by = " ORDER BY " + function + "(v, '" + QUERY + "') LIMIT 20";
      Map<String, java.util.function.Predicate<Near>> wheres =
          Map.of(
              "n < 0", r -> false,
              "id = 45", r -> r.id() == 45,
              "n = 2", r -> r.id() % 10 == 2,
              "n >= 5 AND v IS NOT NULL", r -> r.id() % 10 >= 5 && r.distance() != null,
              "n < 10", r -> true,
              "n * 2 = 4", r -> r.id() % 10 == 2);
      for (Map.Entry<String, java.util.function.Predicate<Near>> where : wheres.entrySet()) {
        assertThat(Sql.column(connection, "SELECT id FROM docs WHERE " + where.getKey() + by))
            .as(where.getKey() + by)
            .isEqualTo(
                nearest(function).stream()
                    .filter(where.getValue())
                    .limit(20)
                    .map(Near::id)
                    .toList());
      }
    }
  }

  @Test
  void theSortIsTheSearch() throws SQLException {
    for (String function : FUNCTIONS) {
      assertThat(
              plan(
                  "SELECT id FROM docs WHERE n = 3 ORDER BY " + function + "(v, ?) LIMIT ?",
                  VECTOR,
                  5))
          .startsWith("LoamScan(")
          .contains("search=[" + function + "(v, ?0)]", "filter=[n = 3]", "limit=[?1]")
          .doesNotContain("sort=", "\n");
    }
    assertThat(plan("SELECT id FROM docs ORDER BY l2_distance(v, '[1,2,3]'), id LIMIT 5"))
        .startsWith("LoamScan(")
        .doesNotContain("\n");
    assertThat(
            plan(
                "SELECT id, 1 - cosine_distance(v, '[1,2,3]') AS s FROM docs"
                    + " ORDER BY cosine_distance(v, '[1,2,3]') LIMIT 5"))
        .contains("search=[cosine_distance(v, '[1,2,3]')]", "limit=[5]")
        .doesNotContain("Sort");
  }

  @Test
  void everyFormOfAVector() throws SQLException {
    List<Object> expected = nearest("l2_distance").stream().limit(7).<Object>map(Near::id).toList();
    for (String literal : List.of("'" + QUERY + "'", "ARRAY[1, -2, 0.5]", "ARRAY[1.0,-2e0,0.5]")) {
      assertThat(
              Sql.column(
                  connection,
                  "SELECT id FROM docs ORDER BY l2_distance(v, " + literal + ") LIMIT 7"))
          .as(literal)
          .isEqualTo(expected);
    }
    for (Object value : List.of(VECTOR, QUERY, List.of(1, -2.0, 0.5f), new double[] {1, -2, 0.5})) {
      assertThat(
              Sql.column(
                  connection, "SELECT id FROM docs ORDER BY l2_distance(v, ?) LIMIT 7", value))
          .isEqualTo(expected);
    }
  }

  @Test
  void elsewhereDistancesAreComputedRowByRow() throws SQLException {
    for (String function : FUNCTIONS) {
      List<Near> all = nearest(function);
      String call = function + "(v, '" + QUERY + "')";
      assertThat(read("SELECT id, " + call + " FROM docs WHERE " + call + " < 0.5 ORDER BY 2, 1"))
          .isEqualTo(all.stream().filter(r -> r.distance() != null && r.distance() < 0.5).toList());
      Comparator<Near> farthest =
          Comparator.comparing(Near::distance, Comparator.nullsLast(Comparator.naturalOrder()))
              .reversed()
              .thenComparing(Near::id);
      assertThat(read("SELECT id, " + call + " FROM docs ORDER BY " + call + " DESC, id LIMIT 200"))
          .isEqualTo(all.stream().sorted(farthest).limit(200).toList());
      assertThat(
              read(
                  "SELECT id, "
                      + call
                      + " FROM docs ORDER BY "
                      + call
                      + " NULLS FIRST, id LIMIT 200"))
          .isEqualTo(
              all.stream()
                  .sorted(
                      Comparator.comparing(
                              Near::distance, Comparator.nullsFirst(Comparator.naturalOrder()))
                          .thenComparing(Near::id))
                  .limit(200)
                  .toList());
      assertThat(
              Sql.column(
                  connection,
                  "SELECT count(*) FROM docs a JOIN docs b ON a.id = b.id WHERE "
                      + function
                      + "(a.v, b.v) IS NULL"))
          .isEqualTo(List.of(all.stream().filter(r -> r.distance() == null).count()));
    }
  }

  /** A score of 1 / (1 + d²) could not tell these apart. */
  @Test
  void distancesThatAScoreCannotTellApart() throws SQLException {
    Sql.run(connection, "CREATE TABLE tiny (id BIGINT PRIMARY KEY, v VECTOR(1))");
    Sql.run(connection, "INSERT INTO tiny VALUES (1, '[3e-20]'), (2, '[2e-20]'), (3, '[1e-20]')");
    assertThat(Sql.column(connection, "SELECT id FROM tiny ORDER BY l2_distance(v, '[0]') LIMIT 2"))
        .isEqualTo(List.of(3L, 2L));
    Sql.run(connection, "DROP TABLE tiny");
  }

  @Test
  void errorsSayWhatToDo() {
    refused("SELECT id FROM docs ORDER BY l2_distance(v, '[1,2]') LIMIT 3", "given=2, wanted=3");
    refused("SELECT l2_distance('[1]', '[1,2]') FROM docs", "differ in dimension");
    refused("SELECT id FROM docs ORDER BY l2_distance(v, 'x') LIMIT 3", "vector");
    refused("SELECT id FROM docs ORDER BY l2_distance(v, n) LIMIT 3", "not a vector");
    refused("SELECT id FROM docs ORDER BY l2_distance(v) LIMIT 3", "L2_DISTANCE");
    assertThatThrownBy(
            () ->
                Sql.rows(
                    connection,
                    "SELECT id FROM docs ORDER BY l2_distance(v, ?) LIMIT 3",
                    (Object) null))
        .hasMessageContaining("vector is null");
  }

  private static void refused(String sql, String message) {
    assertThatThrownBy(() -> Sql.rows(connection, sql))
        .as(sql)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(message);
  }
}
