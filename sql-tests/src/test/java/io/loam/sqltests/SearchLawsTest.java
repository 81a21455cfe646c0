package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
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

/** What must hold for every kind of search, whatever it finds. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SearchLawsTest {
  private static final int ROWS = 10_000;
  private static final int DIMENSION = 64;
  private static final int ALL = 50_000;
  private static final String WORDS = "wing heat";

  @TempDir static Path folder;
  private static Connection connection;
  private static final Random RANDOM = new Random(17);
  private static final String VECTOR = vector();

  /** Whether a search must find all that it may, in the one right order. */
  private enum Answer {
    EXACT,
    APPROXIMATE
  }

  /**
   * A kind of search.
   *
   * @param sql with {@code %1$s} for a condition, {@code %2$s} for it in quotes, {@code %3$d} for k
   * @param plan what its plan holds
   */
  private record Kind(String name, String sql, Answer answer, String plan) {
    String of(String condition, int k) {
      return sql.formatted(condition, Condition.quoted(condition), k);
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind(
              "bm25",
              "SELECT id, _score FROM bm25('docs', 'body', '"
                  + WORDS
                  + "', k => %3$d, filter => %2$s)",
              Answer.EXACT,
              "search=[bm25("),
          new Kind(
              "match",
              "SELECT id, score() FROM docs WHERE match(body, '"
                  + WORDS
                  + "') AND %1$s"
                  + " ORDER BY score() DESC LIMIT %3$d",
              Answer.EXACT,
              "search=[match("),
          new Kind(
              "exact vectors",
              "SELECT id, _score FROM vector_search('docs', 'v', '"
                  + VECTOR
                  + "', k => %3$d,"
                  + " exact => true, filter => %2$s)",
              Answer.EXACT,
              "search=[vector_search("),
          new Kind(
              "codes",
              "SELECT id, _score FROM vector_search('docs', 'v', '"
                  + VECTOR
                  + "', k => %3$d,"
                  + " filter => %2$s)",
              Answer.APPROXIMATE,
              "search=[vector_search("),
          new Kind(
              "distance",
              "SELECT id, cosine_distance(v, '"
                  + VECTOR
                  + "') FROM docs WHERE %1$s"
                  + " ORDER BY cosine_distance(v, '"
                  + VECTOR
                  + "') LIMIT %3$d",
              Answer.EXACT,
              "search=[cosine_distance("),
          new Kind(
              "sparse",
              "SELECT id, _score FROM sparse_match('docs', 's', '{\"3\":1,\"7\":-2}', k => %3$d,"
                  + " filter => %2$s)",
              Answer.EXACT,
              "search=[sparse_match("),
          new Kind(
              "hybrid",
              "SELECT id, _score FROM hybrid(bm25('docs', 'body', '"
                  + WORDS
                  + "', k => 50000,"
                  + " filter => %2$s), vector_search('docs', 'v', '"
                  + VECTOR
                  + "', k => 50000,"
                  + " exact => true, filter => %2$s), k => %3$d)",
              Answer.EXACT,
              "search=[hybrid("));

  private static String vector() {
    return IntStream.range(0, DIMENSION)
        .mapToObj(i -> Float.toString((float) RANDOM.nextGaussian()))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** A row whose {@code part} is less than p in p of 10,000 rows. */
  private static @Nullable Object[] row(long id) {
    boolean again = id % 5 == 4; // has an equal neighbour
    Random own = new Random(again ? id - 1 : id);
    List<String> words = new ArrayList<>(List.of("wing", "plate"));
    for (int i = own.nextInt(6); i >= 0; i--) {
      words.add(Row.pick(own, Row.WORDS));
    }
    float[] vector = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] = (float) own.nextGaussian();
    }
    String sparse = "{\"3\":" + (1 + own.nextInt(9)) + ",\"" + (4 + own.nextInt(8)) + "\":0.5}";
    return new @Nullable Object[] {
      id,
      (int) (id * 7919 % ROWS),
      id % 3 == 0 ? null : id % 3,
      String.join(" ", words),
      vector,
      sparse
    };
  }

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, part INTEGER, third BIGINT,"
            + " body TEXT ANALYZER 'whitespace', v VECTOR(64), s SPARSEVECTOR)");
    insert(0, 6_000);
    insert(6_000, 9_900);
    insert(9_900, ROWS); // stays in the tail
  }

  private static void insert(long from, long to) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?)")) {
      for (long id = from; id < to; id++) {
        Sql.bind(insert, row(id));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static List<List<@Nullable Object>> rows(Kind kind, String condition, int k)
      throws SQLException {
    return Sql.rows(connection, kind.of(condition, k));
  }

  private static Set<Object> ids(List<List<@Nullable Object>> rows) {
    return rows.stream().map(row -> Objects.requireNonNull(row.get(0))).collect(Collectors.toSet());
  }

  @Test
  @Order(1)
  void p7_kRowsOrAllThatMatchUnderFiltersOfAnySelectivity() throws SQLException {
    // None, one row, 0.02 %, 1 %, 10 %, 50 %, all.
    for (int allowed : new int[] {0, 1, 2, 100, 1_000, 5_000, ROWS}) {
      String condition = "part < " + allowed;
      for (Kind kind : KINDS) {
        List<List<@Nullable Object>> all = rows(kind, condition, ALL);
        assertThat(all).as(kind.name + " " + condition).hasSize(allowed);
        for (int k : new int[] {1, 10, 3_000}) {
          List<List<@Nullable Object>> top = rows(kind, condition, k);
          assertThat(top).as(kind.name).hasSize(Math.min(k, allowed));
          if (kind.answer == Answer.EXACT && !kind.name.equals("hybrid")) {
            assertThat(top).as(kind.name).isEqualTo(all.subList(0, top.size()));
          } else {
            assertThat(all).as(kind.name).containsAll(top);
          }
        }
      }
    }
  }

  @Test
  @Order(2)
  void aFilterNeverAddsRowsAndPartsMakeTheWhole() throws SQLException {
    for (Kind kind : KINDS) {
      Set<Object> wide = ids(rows(kind, "part < 4000", ALL));
      Set<Object> narrow = ids(rows(kind, "part < 4000 AND third = 1", ALL));
      assertThat(wide).as(kind.name).containsAll(narrow).hasSizeGreaterThan(narrow.size());
      Set<Object> parts = new HashSet<>();
      int count = 0;
      for (String part : List.of("third = 1", "NOT (third = 1)", "(third = 1) IS NULL")) {
        List<List<@Nullable Object>> found = rows(kind, part, ALL);
        parts.addAll(ids(found));
        count += found.size();
      }
      assertThat(count).as(kind.name).isEqualTo(ROWS);
      assertThat(parts).as(kind.name).hasSize(ROWS);
    }
  }

  @Test
  @Order(3)
  void listsOfAHundredThousandKeysFilter() throws SQLException {
    String list =
        IntStream.range(0, 100_000).mapToObj(i -> "" + 2 * i).collect(Collectors.joining(","));
    for (Kind kind : KINDS) {
      assertThat(rows(kind, "id IN (" + list + ")", 100))
          .as(kind.name)
          .isEqualTo(rows(kind, "MOD(id, 2) = 0", 100));
    }
  }

  @Test
  @Order(4)
  void p8_pagesOverTiesNeitherRepeatNorSkip() throws SQLException {
    for (Kind kind : KINDS) {
      String whole = kind.of("id < 300", ALL).replaceFirst(" LIMIT \\d+$", "");
      List<List<@Nullable Object>> all = Sql.rows(connection, whole + " LIMIT 300");
      assertThat(all.stream().map(row -> row.get(1)).distinct().count())
          .as(kind.name + " has ties")
          .isLessThan(300);
      List<List<@Nullable Object>> pages = new ArrayList<>();
      for (int offset = 0; offset < 300; offset += 50) {
        pages.addAll(Sql.rows(connection, whole + " LIMIT 50 OFFSET " + offset));
      }
      assertThat(pages).as(kind.name).isEqualTo(all);
    }
  }

  @Test
  @Order(5)
  void searchFilterAndLimitAreOneScan() throws SQLException {
    for (Kind kind : KINDS) {
      String plan =
          Objects.requireNonNull(
                  Sql.column(connection, "EXPLAIN PLAN FOR " + kind.of("part < 300", 10)).get(0))
              .toString()
              .strip();
      assertThat(plan).as(kind.name).startsWith("LoamScan(").contains(kind.plan, "part < 300");
      assertThat(plan).as(kind.name).doesNotContain("\n");
    }
    assertThat(
            Sql.column(
                    connection,
                    "EXPLAIN PLAN FOR SELECT third, count(*), avg(part) FROM docs"
                        + " WHERE match(body, 'wing') AND part < 5 GROUP BY third")
                .toString())
        .contains("filter=[", "match(", "groups=[third, count(*), sum(part), count(part)]")
        .doesNotContain("Aggregate");
    assertThat(
            Sql.column(
                    connection,
                    "EXPLAIN PLAN FOR SELECT d.id, s._score FROM docs d JOIN"
                        + " bm25('docs', 'body', 'wing', k => 7) s ON s.id = d.id")
                .toString())
        .contains("Join", "search=[bm25(column", "output=[id, _score]");
  }

  /** Last, since it changes how rows are stored. */
  @Test
  @Order(6)
  void p6_scoresDoNotDependOnHowRowsAreStored() throws SQLException {
    Map<Kind, List<List<@Nullable Object>>> before = new LinkedHashMap<>();
    for (Kind kind : KINDS) {
      before.put(kind, rows(kind, "id >= 0", kind.answer == Answer.EXACT ? ALL : 10));
    }
    Sql.run(connection, "DELETE FROM docs WHERE part < 700");
    for (long id = 0; id < ROWS; id++) {
      if (id * 7919 % ROWS < 700) {
        insert(id, id + 1);
        break; // one of its own commit, the others together
      }
    }
    insertMissing();
    same(before);
    Sql.run(connection, "CALL loam.optimize('docs', 'tail')");
    same(before);
    Sql.run(connection, "CALL loam.optimize('docs')");
    same(before);
    Sql.run(connection, "ALTER TABLE docs REINDEX");
    same(before);
  }

  private static void insertMissing() throws SQLException {
    Set<Object> there = new HashSet<>(Sql.column(connection, "SELECT id FROM docs"));
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?)")) {
      for (long id = ROWS - 1; id >= 0; id--) {
        if (!there.contains(id)) {
          Sql.bind(insert, row(id));
          insert.addBatch();
        }
      }
      insert.executeBatch();
    }
  }

  private static void same(Map<Kind, List<List<@Nullable Object>>> before) throws SQLException {
    for (Map.Entry<Kind, List<List<@Nullable Object>>> kind : before.entrySet()) {
      if (kind.getKey().answer == Answer.EXACT) {
        assertThat(rows(kind.getKey(), "id >= 0", ALL))
            .as(kind.getKey().name)
            .isEqualTo(kind.getValue());
      } else {
        // Codes may miss a row, but do not change a score.
        Map<Object, Object> scores = new LinkedHashMap<>();
        before.forEach(
            (other, rows) -> {
              if (other.name.equals("exact vectors")) {
                rows.forEach(row -> scores.put(row.get(0), row.get(1)));
              }
            });
        for (List<@Nullable Object> row : rows(kind.getKey(), "id >= 0", 10)) {
          assertThat(row.get(1)).isEqualTo(scores.get(row.get(0)));
        }
      }
    }
  }
}
