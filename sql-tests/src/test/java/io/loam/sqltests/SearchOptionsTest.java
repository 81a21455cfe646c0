package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fusions, thresholds and modifiers of search functions, against brute force, bit for bit. */
class SearchOptionsTest {
  private static final long SEED = 11;
  private static final List<String> LEGS =
      List.of(
          "bm25('docs', 'body', 'wing heat', k => 40)",
          "vector_search('docs', 'v', '[1,-0.5,0.25]', k => 60)",
          "sparse_match('docs', 's', '{\"1\":0.5,\"3\":-1.5}', k => 50)",
          "bm25('docs', 'body', 'nowhere')");

  @TempDir static Path folder;
  private static Connection connection;

  /** Live rows by id. */
  private static final Map<Long, Doc> LIVE = new TreeMap<>();

  private record Doc(
      @Nullable String body, float @Nullable [] v, @Nullable TreeMap<Long, Float> s) {
    /** The sparse vector as text. */
    @Nullable String sparse() {
      return s == null
          ? null
          : s.entrySet().stream()
              .map(e -> "\"" + e.getKey() + "\":" + e.getValue())
              .collect(Collectors.joining(",", "{", "}"));
    }
  }

  private record Scored(long id, double score) {
    static final Comparator<Scored> ORDER =
        Comparator.comparingDouble((Scored s) -> -s.score()).thenComparingLong(Scored::id);
  }

  @BeforeAll
  static void load() throws SQLException {
    Random random = new Random(SEED);
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT ANALYZER 'whitespace', v VECTOR(3),"
            + " s SPARSEVECTOR)");
    // Two splits, a tail of two fragments, and deletes in each.
    long id = 0;
    for (int size : new int[] {1_100, 60, 1_050, 7}) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?, ?)")) {
        for (int i = 0; i < size; i++, id++) {
          Doc doc = doc(random);
          LIVE.put(id, doc);
          Sql.bind(insert, id, doc.body, doc.v, doc.sparse());
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
    Sql.run(connection, "DELETE FROM docs WHERE MOD(id, 7) = 3");
    LIVE.keySet().removeIf(key -> key % 7 == 3);
  }

  private static Doc doc(Random random) {
    float[] v = {random.nextInt(-4, 5), random.nextInt(-4, 5), random.nextInt(-4, 5)};
    TreeMap<Long, Float> s = new TreeMap<>();
    for (long index = 0; index < 6; index++) {
      if (random.nextInt(4) == 0) {
        s.put(index, (random.nextBoolean() ? 1 : -1) * random.nextInt(1, 64) / 16f);
      }
    }
    return new Doc(
        random.nextInt(6) == 0 ? null : Row.text(random),
        random.nextInt(6) == 0 ? null : v,
        random.nextInt(6) == 0 ? null : s);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  /** What a leg gives each rank. */
  private interface Scale {
    ToDoubleFunction<Integer> of(List<Scored> hits);
  }

  private static final Map<String, Scale> FUSIONS =
      Map.of(
          "rrf", hits -> rank -> 1 / (60.0 + rank),
          "weighted", SearchOptionsTest::minMax,
          "dbsf", SearchOptionsTest::distribution);

  private static ToDoubleFunction<Integer> minMax(List<Scored> hits) {
    double most = hits.stream().mapToDouble(Scored::score).max().orElse(0);
    double least = hits.stream().mapToDouble(Scored::score).min().orElse(0);
    return rank -> most == least ? 1 : (hits.get(rank - 1).score() - least) / (most - least);
  }

  private static ToDoubleFunction<Integer> distribution(List<Scored> hits) {
    double mean = 0;
    for (Scored hit : hits) {
      mean += hit.score();
    }
    mean /= hits.size();
    double variance = 0;
    for (Scored hit : hits) {
      variance += (hit.score() - mean) * (hit.score() - mean);
    }
    variance /= hits.size();
    double sigma = Math.sqrt(variance);
    double from = mean - 3 * sigma;
    return rank -> sigma == 0 ? 0.5 : (hits.get(rank - 1).score() - from) / (6 * sigma);
  }

  @Test
  void everyFusionOfWeightedLegsIsItsFormula() throws SQLException {
    for (String fusion : FUSIONS.keySet()) {
      for (double[] weights :
          new double[][] {{1, 1}, {0.7, 0.3}, {1, 0, 2.5}, {0.1, 0.2, 0.3, 0.4}}) {
        List<String> legs = LEGS.subList(0, weights.length);
        String call =
            "hybrid(%s, k => 500, fusion => '%s', weights => '%s')"
                .formatted(String.join(", ", legs), fusion, Arrays.toString(weights));
        List<Scored> fused = fused(legs, fusion, weights);
        assertThat(scored(call)).as(call).isEqualTo(fused);
        double least = fused.get(fused.size() / 3).score();
        String cut = call.substring(0, call.length() - 1) + ", min_score => ?)";
        assertThat(scored(cut, least))
            .as(cut)
            .isEqualTo(fused.stream().filter(s -> s.score() >= least).toList());
      }
    }
  }

  private static List<Scored> fused(List<String> legs, String fusion, double[] weights)
      throws SQLException {
    Map<Long, Double> scores = new LinkedHashMap<>();
    for (int leg = 0; leg < legs.size(); leg++) {
      List<Scored> hits = scored(legs.get(leg));
      ToDoubleFunction<Integer> scale = Objects.requireNonNull(FUSIONS.get(fusion)).of(hits);
      for (int rank = 1; rank <= hits.size(); rank++) {
        double part =
            fusion.equals("rrf")
                ? weights[leg] / (60 + rank)
                : weights[leg] * scale.applyAsDouble(rank);
        scores.merge(hits.get(rank - 1).id(), part, Double::sum);
      }
    }
    return scores.entrySet().stream()
        .map(e -> new Scored(e.getKey(), e.getValue()))
        .sorted(Scored.ORDER)
        .toList();
  }

  @Test
  void ranksAndScoresOfEachLegStandBesideTheRow() throws SQLException {
    List<Map<Long, List<@Nullable Object>>> byLeg = new ArrayList<>();
    for (String leg : LEGS) {
      Map<Long, List<@Nullable Object>> found = new TreeMap<>();
      scored(leg).forEach(s -> found.put(s.id(), List.of(found.size() + 1L, s.score())));
      byLeg.add(found);
    }
    String columns =
        IntStream.rangeClosed(1, LEGS.size())
            .mapToObj(i -> ", _rank_%d, _score_%d".formatted(i, i))
            .collect(Collectors.joining());
    for (String fusion : FUSIONS.keySet()) {
      for (List<@Nullable Object> row :
          Sql.rows(
              connection,
              "SELECT id%s FROM hybrid(%s, k => 500, fusion => '%s')"
                  .formatted(columns, String.join(", ", LEGS), fusion))) {
        List<@Nullable Object> expected = new ArrayList<>();
        expected.add(row.get(0));
        for (Map<Long, List<@Nullable Object>> leg : byLeg) {
          expected.addAll(leg.getOrDefault((Long) row.get(0), Arrays.asList(null, null)));
        }
        assertThat(row).isEqualTo(expected);
      }
    }
  }

  @Test
  void sixteenLegs() throws SQLException {
    List<String> legs = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      legs.add(LEGS.get(i % 3));
    }
    double[] weights = IntStream.range(0, 16).mapToDouble(i -> (i + 1) / 8.0).toArray();
    for (String fusion : FUSIONS.keySet()) {
      assertThat(
              scored(
                  "hybrid(%s, k => 500, fusion => '%s', weights => '%s')"
                      .formatted(String.join(", ", legs), fusion, Arrays.toString(weights))))
          .as(fusion)
          .isEqualTo(fused(legs, fusion, weights));
    }
  }

  @Test
  void p8_pagesOfAHybridNeitherRepeatNorSkip() throws SQLException {
    String call = "hybrid(%s, k => 200, fusion => 'dbsf')".formatted(String.join(", ", LEGS));
    List<Scored> whole = scored(call);
    List<Scored> pages = new ArrayList<>();
    for (int offset = 0; offset < 210; offset += 7) {
      pages.addAll(read("SELECT id, _score FROM " + call + " LIMIT 7 OFFSET ?", offset));
    }
    assertThat(pages).isEqualTo(whole);
  }

  @Test
  void nothingIsFartherThanTheGreatestDistance() throws SQLException {
    for (String metric : List.of("cosine", "l2", "dot")) {
      List<List<@Nullable Object>> all =
          Sql.rows(
              connection,
              "SELECT id, _distance FROM vector_search('docs', 'v', '[1,2,-0.5]', k => 5000,"
                  + " metric => '"
                  + metric
                  + "')");
      for (int place : new int[] {0, 10, 333, all.size() - 1}) {
        double most = (Double) Objects.requireNonNull(all.get(place).get(1));
        for (int k : new int[] {5, 5000}) {
          assertThat(
                  Sql.rows(
                      connection,
                      "SELECT id, _distance FROM vector_search('docs', 'v', '[1,2,-0.5]', k => ?,"
                          + " metric => '"
                          + metric
                          + "', max_distance => ?, exact => true)",
                      k,
                      most))
              .isEqualTo(all.stream().filter(row -> (Double) row.get(1) <= most).limit(k).toList());
        }
      }
    }
  }

  @Test
  void sparseWeightsOfAnySignAndIdf() throws SQLException {
    List<TreeMap<Long, Float>> queries = new ArrayList<>();
    queries.add(new TreeMap<>());
    queries.add(new TreeMap<>(Map.of(1L, 1f)));
    queries.add(new TreeMap<>(Map.of(0L, -2f, 2L, 0.3f, 5L, 0.7f)));
    queries.add(new TreeMap<>(Map.of(3L, 0.1f, 4L, -0.1f, 99L, 4f)));
    for (TreeMap<Long, Float> query : queries) {
      for (boolean idf : new boolean[] {false, true}) {
        String call =
            "sparse_match('docs', 's', ?, k => 3000%s)".formatted(idf ? ", modifier => 'idf'" : "");
        String text = Objects.requireNonNull(new Doc(null, null, query).sparse());
        List<Scored> expected = dots(query, idf);
        assertThat(scored(call, text)).as(call + text).isEqualTo(expected);
        if (!expected.isEmpty()) {
          double least = expected.get(expected.size() / 2).score();
          assertThat(scored(call.replace("3000", "3000, min_score => ?"), text, least))
              .isEqualTo(expected.stream().filter(s -> s.score() >= least).toList());
        }
      }
    }
  }

  private static List<Scored> dots(Map<Long, Float> query, boolean idf) {
    Map<Long, Double> weights = new TreeMap<>();
    query.forEach(
        (index, weight) -> {
          double having =
              LIVE.values().stream().filter(d -> d.s != null && d.s.containsKey(index)).count();
          double rarity = StrictMath.log(1 + (LIVE.size() - having + 0.5) / (having + 0.5));
          weights.put(index, idf ? weight * rarity : (double) weight);
        });
    List<Scored> all = new ArrayList<>();
    LIVE.forEach(
        (id, doc) -> {
          double score = 0;
          boolean shared = false;
          for (Map.Entry<Long, Double> weight : weights.entrySet()) {
            Float value = doc.s == null ? null : doc.s.get(weight.getKey());
            if (value != null) {
              shared = true;
              score += weight.getValue() * value;
            }
          }
          if (shared) {
            all.add(new Scored(id, score));
          }
        });
    return all.stream().sorted(Scored.ORDER).toList();
  }

  @Test
  void leastScoreOfText() throws SQLException {
    List<Scored> all = scored("bm25('docs', 'body', 'wing heat', k => 5000)");
    double least = all.get(17).score();
    assertThat(scored("bm25('docs', 'body', 'wing heat', k => 5000, min_score => ?)", least))
        .isEqualTo(all.stream().filter(s -> s.score() >= least).toList());
  }

  private static List<Scored> scored(String call, Object... values) throws SQLException {
    return read("SELECT id, _score FROM " + call, values);
  }

  private static List<Scored> read(String sql, Object... values) throws SQLException {
    List<Scored> result = new ArrayList<>();
    for (List<@Nullable Object> row : Sql.rows(connection, sql, values)) {
      result.add(new Scored((Long) row.get(0), (Double) row.get(1)));
    }
    return result;
  }
}
