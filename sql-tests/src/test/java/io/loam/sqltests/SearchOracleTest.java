package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.lucene.util.SmallFloat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Search functions of SQL on random rows of many versions, against brute force, bit for bit. */
class SearchOracleTest {
  private static final long SEED = 7;

  @TempDir static Path folder;
  private static Connection connection;

  /** The live rows of every version. */
  private static final TreeMap<Long, List<Row>> VERSIONS = new TreeMap<>();

  /** A row's id and score. */
  private record Scored(long id, double score) {
    static final Comparator<Scored> ORDER =
        Comparator.comparingDouble((Scored s) -> -s.score()).thenComparingLong(Scored::id);
  }

  /** A search's SQL with {@code ?} for its query, and what it gives each row; null: no match. */
  private record Search(String call, Object query, Scores scores) {
    List<Scored> top(List<Row> live, Predicate<Row> allowed, int k) {
      List<Scored> all = new ArrayList<>();
      Function<Row, @Nullable Double> score = scores.of(live);
      for (Row row : live) {
        Double value = allowed.test(row) ? score.apply(row) : null;
        if (value != null) {
          all.add(new Scored(row.id(), value));
        }
      }
      return all.stream().sorted(Scored.ORDER).limit(k).toList();
    }

    /** The call with more arguments. */
    String with(String arguments) {
      return call.substring(0, call.length() - 1) + ", " + arguments + ")";
    }
  }

  private interface Scores {
    Function<Row, @Nullable Double> of(List<Row> live);
  }

  @BeforeAll
  static void load() throws SQLException {
    Random random = new Random(SEED);
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (" + Row.COLUMNS.formatted(" PRIMARY KEY", "") + ")");
    List<Row> live = new ArrayList<>();
    for (int round = 0; round < 6; round++) {
      int size = round % 2 == 0 ? 120 : 5;
      List<Row> added = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        added.add(Row.random(random, round * 1_000L + i));
      }
      insert(added);
      live.addAll(added);
      VERSIONS.put(version(), List.copyOf(live));
      long gone = random.nextInt(5);
      Sql.run(connection, "DELETE FROM docs WHERE n = " + gone);
      live.removeIf(row -> row.n() != null && row.n() == gone);
      VERSIONS.put(version(), List.copyOf(live));
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static void insert(List<Row> rows) throws SQLException {
    String sql = "INSERT INTO docs VALUES (?" + ", ?".repeat(15) + ")";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (Row row : rows) {
        Sql.bind(insert, row.values());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static long version() throws SQLException {
    return (Long)
        Objects.requireNonNull(
            Sql.column(connection, "SELECT max(version) FROM \"docs$manifests\"").get(0));
  }

  private static List<Row> live() {
    return VERSIONS.lastEntry().getValue();
  }

  private static List<Search> searches(Random random) {
    String words = Row.pick(random, Row.WORDS) + " " + Row.pick(random, Row.WORDS);
    float[] vector = Row.vector(random);
    String sparse = Row.sparse(random);
    return List.of(
        new Search("bm25('docs', 'body', ?)", words, live -> bm25(live, words)),
        new Search("vector_search('docs', 'v', ?)", vector, live -> r -> cosine(vector, r.v())),
        new Search("sparse_match('docs', 's', ?)", sparse, live -> r -> dot(sparse, r.s())));
  }

  @Test
  void scoresAreThoseOfBruteForceInEveryVersion() throws SQLException {
    Random random = new Random(SEED);
    for (Map.Entry<Long, List<Row>> version : VERSIONS.entrySet()) {
      for (Search search : searches(random)) {
        for (int k : new int[] {1, 10, 1_000}) {
          String sql =
              "SELECT id, _score FROM "
                  + search.with("k => " + k)
                  + " FOR VERSION AS OF "
                  + version.getKey();
          assertThat(scored(sql, search.query()))
              .as(sql)
              .isEqualTo(search.top(version.getValue(), row -> true, k));
        }
      }
    }
  }

  @Test
  void filterNarrowsAndWhereDrops() throws SQLException {
    Random random = new Random(SEED + 1);
    for (int i = 0; i < 25; i++) {
      Condition condition = searchable(random);
      for (Search search : searches(random)) {
        String narrowed =
            "SELECT id, _score FROM "
                + search.with("k => 10, filter => " + Condition.quoted(condition.sql()));
        assertThat(scored(narrowed, search.query()))
            .as(narrowed)
            .isEqualTo(search.top(live(), condition::keeps, 10));
        String dropped =
            "SELECT id, _score FROM " + search.with("k => 10") + " WHERE " + condition.sql();
        List<Long> kept = live().stream().filter(condition::keeps).map(Row::id).toList();
        assertThat(scored(dropped, search.query()))
            .as(dropped)
            .isEqualTo(
                search.top(live(), row -> true, 10).stream()
                    .filter(s -> kept.contains(s.id()))
                    .toList());
      }
    }
  }

  /** A condition that a filter can evaluate: each compares one column with values. */
  private static Condition searchable(Random random) {
    while (true) {
      Condition condition = Condition.random(random, 2);
      if (!condition.sql().contains("n + 1")
          && !condition.sql().contains("< id")
          && !condition.sql().contains("body")) {
        return condition;
      }
    }
  }

  @Test
  void argumentsByPlaceNameAndParameter() throws SQLException {
    List<Scored> expected =
        new Search("", "", live -> bm25(live, "wing heat")).top(live(), row -> true, 3);
    for (String call :
        List.of(
            "bm25('docs', 'body', 'wing heat', 3)",
            "bm25('docs', 'body', 'wing heat', k => 3)",
            "bm25('docs', k => 3, query => 'wing heat', columns => 'body')",
            "BM25('DOCS', 'BODY', 'wing heat', K => 3)",
            "TABLE(bm25('docs', 'body', 'wing heat', 3))")) {
      assertThat(scored("SELECT id, _score FROM " + call)).as(call).isEqualTo(expected);
    }
    assertThat(scored("SELECT id, _score FROM bm25('docs', 'body', ?, ?)", "wing heat", 3))
        .isEqualTo(expected);
    assertThat(
            scored(
                "SELECT id, _score FROM bm25('docs', 'body', k => ?, query => ?)", 3, "wing heat"))
        .isEqualTo(expected);
  }

  @Test
  void hybridFusesRanks() throws SQLException {
    Random random = new Random(SEED + 2);
    for (Map.Entry<Long, List<Row>> version : VERSIONS.entrySet()) {
      List<Search> legs = searches(random);
      Map<Long, Double> fused = new LinkedHashMap<>();
      for (Search leg : legs) {
        List<Scored> hits = leg.top(version.getValue(), row -> true, 20);
        for (int rank = 1; rank <= hits.size(); rank++) {
          fused.merge(hits.get(rank - 1).id(), 1.0 / (60 + rank), Double::sum);
        }
      }
      String sql =
          "SELECT id, _score FROM hybrid("
              + String.join(", ", legs.stream().map(leg -> leg.with("k => 20")).toList())
              + ", k => 15) FOR VERSION AS OF "
              + version.getKey();
      assertThat(scored(sql, legs.stream().map(Search::query).toArray()))
          .as(sql)
          .isEqualTo(
              fused.entrySet().stream()
                  .map(e -> new Scored(e.getKey(), e.getValue()))
                  .sorted(Scored.ORDER)
                  .limit(15)
                  .toList());
    }
  }

  @Test
  void versionsJoin() throws SQLException {
    long old = VERSIONS.firstKey();
    List<Long> now = live().stream().map(Row::id).toList();
    List<Long> both =
        VERSIONS.get(old).stream().map(Row::id).filter(now::contains).sorted().toList();
    assertThat(both).isNotEmpty();
    assertThat(
            Sql.column(
                connection,
                "SELECT o.id FROM docs FOR VERSION AS OF %d AS o JOIN docs AS n ON n.id = o.id ORDER BY o.id"
                    .formatted(old)))
        .isEqualTo(both);
  }

  private static List<Scored> scored(String sql, Object... values) throws SQLException {
    List<Scored> result = new ArrayList<>();
    for (List<@Nullable Object> row : Sql.rows(connection, sql, values)) {
      result.add(new Scored((Long) row.get(0), (Double) row.get(1)));
    }
    return result;
  }

  private static Function<Row, @Nullable Double> bm25(List<Row> live, String query) {
    double tokens = live.stream().mapToInt(row -> words(row.body()).size()).sum();
    double average = tokens / live.size();
    return row -> {
      List<String> words = words(row.body());
      double score = 0;
      for (String word : new TreeSet<>(words(query))) {
        double frequency = Collections.frequency(words, word);
        if (frequency > 0) {
          long n = live.stream().filter(r -> new HashSet<>(words(r.body())).contains(word)).count();
          double idf = StrictMath.log(1 + (live.size() - n + 0.5) / (n + 0.5));
          int length = SmallFloat.byte4ToInt(SmallFloat.intToByte4(words.size()));
          double norm = 1.2 * (1 - 0.75 + 0.75 * length / average);
          score += idf * (1.2 + 1) * frequency / (frequency + norm);
        }
      }
      return score > 0 ? score : null;
    };
  }

  private static List<String> words(@Nullable String text) {
    return text == null ? List.of() : List.of(text.split(" ", -1));
  }

  private static @Nullable Double cosine(float[] query, float @Nullable [] v) {
    return v == null ? null : sum(query, v) / Math.sqrt(sum(query, query) * sum(v, v));
  }

  /** Eight partial sums by place, in a fixed tree. */
  private static double sum(float[] a, float[] b) {
    double[] s = new double[8];
    for (int i = 0; i < a.length; i++) {
      s[i % 8] += (double) a[i] * b[i];
    }
    return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  }

  private static @Nullable Double dot(String query, @Nullable String document) {
    Map<Long, Float> weights = entries(query);
    double score = 0;
    boolean shared = false;
    for (Map.Entry<Long, Float> entry : entries(document == null ? "{}" : document).entrySet()) {
      Float weight = weights.get(entry.getKey());
      if (weight != null) {
        shared = true;
        score += (double) weight * entry.getValue();
      }
    }
    return shared ? score : null;
  }

  private static Map<Long, Float> entries(String sparse) {
    Map<Long, Float> entries = new TreeMap<>();
    for (String entry : sparse.replaceAll("[{}\"]", "").split(",", -1)) {
      if (!entry.isEmpty()) {
        String[] parts = entry.split(":", -1);
        entries.put(Long.valueOf(parts[0]), Float.valueOf(parts[1]));
      }
    }
    return entries;
  }
}
