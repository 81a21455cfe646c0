package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code match}, {@code score} and {@code highlight}: rows by brute force, and pushed plans. */
class MatchTest {
  private static final long SEED = 21;

  @TempDir static Path folder;
  private static Connection connection;
  private static final List<Row> LIVE = new ArrayList<>();

  /** A query in the simple syntax, and whether a text of these words matches it. */
  private record Query(String text, Predicate<List<String>> test) {
    boolean matches(Row row) {
      return row.body() != null && test.test(List.of(row.body().split(" ", -1)));
    }

    static Query random(Random random) {
      String a = Row.pick(random, Row.WORDS);
      String b = Row.pick(random, Row.WORDS);
      return switch (random.nextInt(6)) {
        case 0 -> new Query(a + " " + b, w -> w.contains(a) || w.contains(b));
        case 1 -> new Query("+" + a + " -" + b, w -> w.contains(a) && !w.contains(b));
        case 2 ->
            new Query(
                "\"" + a + " " + b + "\"", w -> Collections.indexOfSubList(w, List.of(a, b)) >= 0);
        case 3 ->
            new Query(
                a.substring(0, 2) + "*",
                w -> w.stream().anyMatch(x -> x.startsWith(a.substring(0, 2))));
        case 4 -> new Query("nowhere", w -> false);
        default -> new Query(a, w -> w.contains(a));
      };
    }
  }

  @BeforeAll
  static void load() throws SQLException {
    Random random = new Random(SEED);
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (" + Row.COLUMNS.formatted(" PRIMARY KEY", "") + ")");
    Sql.run(connection, "CREATE TABLE words (doc BIGINT, word VARCHAR, note TEXT)");
    for (int round = 0; round < 4; round++) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO docs VALUES (?" + ", ?".repeat(15) + ")")) {
        for (int i = 0; i < (round % 2 == 0 ? 1_010 : 30); i++) {
          Row row = Row.random(random, round * 2_000L + i);
          LIVE.add(row);
          Sql.bind(insert, row.values());
          insert.addBatch();
        }
        insert.executeBatch();
      }
      long gone = random.nextInt(10);
      Sql.run(connection, "DELETE FROM docs WHERE n = " + gone);
      LIVE.removeIf(row -> row.n() != null && row.n() == gone);
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO words VALUES (?, ?, ?)")) {
      for (Row row : LIVE.subList(0, 300)) {
        Sql.bind(insert, row.id(), Row.pick(random, Row.WORDS), Row.text(random));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static List<Long> ids(Predicate<Row> kept) {
    return LIVE.stream().filter(kept).map(Row::id).sorted().toList();
  }

  private static String plan(String query, Object... values) throws SQLException {
    return Objects.requireNonNull(
            Sql.column(connection, "EXPLAIN PLAN FOR " + query, values).get(0))
        .toString()
        .strip();
  }

  @Test
  void filtersAloneAndAmongOtherConditions() throws SQLException {
    Random random = new Random(SEED + 1);
    for (int i = 0; i < 20; i++) {
      Query query = Query.random(random);
      Query other = Query.random(random);
      Condition condition = Condition.random(random, 2);
      Map<String, Predicate<Row>> wheres = new TreeMap<>();
      wheres.put("match(body, ?) AND (? IS NOT NULL)", query::matches);
      wheres.put("NOT match(body, ?) AND (? IS NOT NULL)", r -> !query.matches(r));
      wheres.put(
          "match(body, ?) AND NOT match(body, ?)", r -> query.matches(r) && !other.matches(r));
      wheres.put(
          "(match(body, ?) OR match(body, ?)) AND " + condition.sql(),
          r -> (query.matches(r) || other.matches(r)) && condition.keeps(r));
      wheres.put(
          "(match(body, ?) AND match(body, ?, 'simple')) OR " + condition.sql(),
          r -> (query.matches(r) && other.matches(r)) || condition.keeps(r));
      for (Map.Entry<String, Predicate<Row>> where : wheres.entrySet()) {
        String sql = "SELECT id FROM docs WHERE " + where.getKey() + " ORDER BY id";
        assertThat(Sql.column(connection, sql, query.text, other.text))
            .as(sql + query + other)
            .isEqualTo(ids(where.getValue()));
      }
    }
  }

  @Test
  void conditionsOfTextMoveIntoTheScan() throws SQLException {
    assertThat(plan("SELECT id FROM docs WHERE match(body, 'wing')"))
        .startsWith("LoamScan(")
        .contains("filter=[match(body, 'wing')]", "output=[id]")
        .doesNotContain("\n");
    assertThat(
            plan(
                "SELECT id FROM docs WHERE (match(body, 'wing') OR n = 3) AND NOT match(body, ?)"
                    + " AND n < 8",
                "heat"))
        .startsWith("LoamScan(")
        .contains("(match(body, 'wing') OR n = 3)", "NOT match(body, ?0)", "n < 8")
        .doesNotContain("\n");
    assertThat(
            plan(
                "SELECT lang, count(*) FROM docs WHERE match(body, 'wing', 'phrase') GROUP BY lang"))
        .startsWith("LoamScan(")
        .contains("filter=[match(body, 'wing', 'phrase')]", "groups=[lang, count(*)]")
        .doesNotContain("\n");
    assertThat(
            plan(
                "SELECT d.id, w.word FROM docs d JOIN words w ON w.doc = d.id"
                    + " WHERE match(d.body, 'wing') AND match(w.note, 'heat')"))
        .contains("filter=[match(body, 'wing')]", "filter=[match(note, 'heat')]");
  }

  @Test
  void facets() throws SQLException {
    for (String word : Row.WORDS) {
      Map<String, Long> counts =
          LIVE.stream()
              .filter(r -> r.body() != null && List.of(r.body().split(" ", -1)).contains(word))
              .filter(r -> r.lang() != null)
              .collect(Collectors.groupingBy(Row::lang, TreeMap::new, Collectors.counting()));
      List<List<Object>> expected = new ArrayList<>();
      counts.forEach((lang, n) -> expected.add(List.of(lang, n)));
      assertThat(
              Sql.rows(
                  connection,
                  "SELECT lang, count(*) FROM docs WHERE match(body, ?) AND lang IS NOT NULL"
                      + " GROUP BY lang ORDER BY lang",
                  word))
          .isEqualTo(expected);
    }
  }

  @Test
  void scoreIsThatOfTheSearchFunction() throws SQLException {
    Random random = new Random(SEED + 2);
    List<Long> english = ids(r -> "en".equals(r.lang()));
    for (int i = 0; i < 30; i++) {
      String text = Query.random(random).text;
      List<List<@Nullable Object>> function =
          Sql.rows(
              connection,
              "SELECT id, _score FROM bm25('docs', 'body', ?, k => 5000, filter => 'n < 6')",
              text);
      String all = "SELECT id, score() FROM docs WHERE match(body, ?) AND n < 6";
      assertThat(Sql.rows(connection, all + " ORDER BY score() DESC, id", text))
          .isEqualTo(function);
      assertThat(Sql.rows(connection, all + " ORDER BY score() DESC", text)).isEqualTo(function);
      for (int limit : new int[] {1, 7, 100}) {
        for (int offset : new int[] {0, 5}) {
          assertThat(
                  Sql.rows(
                      connection,
                      all + " ORDER BY score() DESC LIMIT ? OFFSET ?",
                      text,
                      limit,
                      offset))
              .isEqualTo(function.stream().skip(offset).limit(limit).toList());
        }
      }
      assertThat(Sql.rows(connection, all + " ORDER BY id", text))
          .isEqualTo(
              function.stream()
                  .sorted(Comparator.comparingLong(row -> (Long) row.get(0)))
                  .toList());
      assertThat(
              Sql.rows(
                  connection, all + " AND upper(lang) = 'EN' ORDER BY score() DESC LIMIT 3", text))
          .isEqualTo(
              function.stream()
                  .filter(row -> english.contains((Long) row.get(0)))
                  .limit(3)
                  .toList());
    }
  }

  @Test
  void rankedPlansAreOneSearch() throws SQLException {
    String query =
        "SELECT id, score() AS s FROM docs WHERE match(body, ?) AND lang = 'en'"
            + " ORDER BY score() DESC LIMIT 10";
    assertThat(plan(query, "wing"))
        .startsWith("LoamScan(")
        .contains(
            "search=[match(body, ?0)]", "filter=[lang = 'en']", "output=[id, _score]", "limit=[10]")
        .doesNotContain("\n");
    String analysed =
        Objects.requireNonNull(Sql.column(connection, "EXPLAIN ANALYZE " + query, "wing").get(0))
            .toString();
    assertThat(analysed).contains("rows=10", "allowed=", "filter=", "text=", "read=", " ms");
    assertThat(
            plan(
                "SELECT id FROM docs WHERE match(body, 'x') OR match(body, 'y') ORDER BY score() DESC"))
        .startsWith("LoamScan(")
        .contains("search=[(match(body, 'x') OR match(body, 'y'))]")
        .doesNotContain("filter");
  }

  @Test
  void scoresOfSeveralMatchesAdd() throws SQLException {
    Map<Object, Double> wing = new TreeMap<>();
    Map<Object, Double> heat = new TreeMap<>();
    scores("wing", wing);
    scores("heat", heat);
    List<List<@Nullable Object>> both =
        Sql.rows(
            connection,
            "SELECT id, score() FROM docs WHERE match(body, 'wing') AND match(body, 'heat')");
    assertThat(both).hasSize((int) wing.keySet().stream().filter(heat::containsKey).count());
    for (List<@Nullable Object> row : both) {
      assertThat((Double) row.get(1)).isEqualTo(heat.get(row.get(0)) + wing.get(row.get(0)));
    }
  }

  private static void scores(String word, Map<Object, Double> into) throws SQLException {
    for (List<@Nullable Object> row :
        Sql.rows(connection, "SELECT id, _score FROM bm25('docs', 'body', ?, 5000)", word)) {
      into.put(Objects.requireNonNull(row.get(0)), (Double) row.get(1));
    }
  }

  @Test
  void scoreInOtherPlaces() throws SQLException {
    List<List<@Nullable Object>> function =
        Sql.rows(connection, "SELECT id, _score FROM bm25('docs', 'body', 'wing', k => 5000)");
    double middle = (Double) Objects.requireNonNull(function.get(function.size() / 2).get(1));
    assertThat(
            Sql.rows(
                connection,
                "SELECT id, score() FROM docs WHERE match(body, 'wing') AND score() >= ?"
                    + " ORDER BY 2 DESC, 1",
                middle))
        .isEqualTo(function.stream().filter(row -> (Double) row.get(1) >= middle).toList());
    assertThat(
            Sql.rows(
                connection,
                "WITH m AS (SELECT id, score() AS s FROM docs WHERE match(body, 'wing'))"
                    + " SELECT id, s FROM m ORDER BY s DESC, id LIMIT 5"))
        .isEqualTo(function.subList(0, 5));
    assertThat(
            Sql.rows(
                connection, "SELECT max(score()), count(*) FROM docs WHERE match(body, 'wing')"))
        .isEqualTo(List.of(List.of(function.get(0).get(1), (long) function.size())));
    List<Long> first = LIVE.subList(0, 300).stream().map(Row::id).toList();
    List<Object> joined =
        function.stream()
            .filter(row -> first.contains((Long) row.get(0)))
            .map(row -> row.get(0))
            .toList();
    for (String join : List.of("JOIN", "LEFT JOIN")) {
      assertThat(
              Sql.column(
                  connection,
                  "SELECT d.id FROM words w "
                      + join
                      + " docs d ON w.doc = d.id"
                      + " WHERE match(d.body, 'wing') ORDER BY score() DESC, d.id"))
          .as(join)
          .isEqualTo(joined);
    }
    assertThat(
            Sql.column(
                connection,
                "SELECT id FROM docs WHERE id IN (SELECT id FROM docs WHERE match(body, 'wing')"
                    + " ORDER BY score() DESC LIMIT 5)"))
        .hasSize(5);
  }

  @Test
  void matchAndHighlightOfEachRow() throws SQLException {
    for (List<@Nullable Object> row :
        Sql.rows(
            connection,
            "SELECT body, match(body, 'wing -heat'), highlight(body, 'wing -heat', '[', ']', 0)"
                + " FROM docs")) {
      String body = (String) row.get(0);
      List<String> words = body == null ? List.of() : List.of(body.split(" ", -1));
      assertThat(row.get(1)).isEqualTo(words.contains("wing") && !words.contains("heat"));
      assertThat(row.get(2)).isEqualTo(body == null ? null : body.replace("wing", "[wing]"));
    }
  }

  @Test
  void deletesWhatMatches() throws SQLException {
    Sql.run(connection, "CREATE TABLE d (id BIGINT PRIMARY KEY, t TEXT)");
    Sql.run(connection, "INSERT INTO d VALUES (1, 'wing'), (2, 'heat'), (3, NULL)");
    assertThat(Sql.update(connection, "UPDATE d SET t = t || ' x' WHERE match(t, ?)", "wing"))
        .isEqualTo(1);
    assertThat(Sql.update(connection, "DELETE FROM d WHERE NOT match(t, 'wing')")).isEqualTo(2);
    assertThat(Sql.rows(connection, "SELECT * FROM d")).isEqualTo(List.of(List.of(1L, "wing x")));
    Sql.run(connection, "DROP TABLE d");
  }

  @Test
  void inFiltersOfSearchFunctions() throws SQLException {
    assertThat(
            Sql.column(
                connection,
                "SELECT id FROM vector_search('docs', 'v', ?, k => 5000,"
                    + " filter => 'match(body, ''wing'') AND n < 4') ORDER BY id",
                (Object) Row.vector(new Random(1))))
        .isEqualTo(
            ids(
                r ->
                    r.v() != null
                        && r.n() != null
                        && r.n() < 4
                        && r.body() != null
                        && List.of(r.body().split(" ", -1)).contains("wing")));
  }

  @Test
  void errorsSayWhatToDo() {
    refused("SELECT id FROM docs WHERE match(lang, 'x')", "42804", "not a TEXT column");
    refused("SELECT id FROM docs WHERE match(body, 'a AND', 'lucene')", "22023", "");
    refused("SELECT id FROM docs WHERE match(body, 'lang:x', 'lucene')", "42703", "lang");
    refused("SELECT id FROM docs WHERE match(body, 'x', 'sql')", "22023", "unknown syntax");
    refused("SELECT id FROM docs WHERE match(body)", "42601", "MATCH");
    refused("SELECT id, score() FROM docs", "22023", "no match(column, query)");
    refused(
        "SELECT id, score() FROM docs WHERE match(body, 'x') OR n = 1",
        "22023",
        "no match(column, query)");
    refused(
        "SELECT score() FROM docs d JOIN words w ON d.id = w.doc"
            + " WHERE match(d.body, 'x') AND match(w.note, 'y')",
        "22023",
        "ambiguous");
    refused(
        "SELECT score() FROM bm25('docs', 'body', 'x') WHERE match(body, 'x')",
        "22023",
        "_score instead");
    refused("SELECT highlight(body, 'x', '<', '>', -1) FROM docs", "22023", "fragments=-1");
    assertThatThrownBy(
            () -> Sql.rows(connection, "SELECT id FROM docs WHERE match(body, ?)", (Object) null))
        .hasMessageContaining("argument is null: argument=query");
  }

  private static void refused(String sql, String state, String message) {
    assertThatThrownBy(() -> Sql.rows(connection, sql))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(state))
        .hasMessageContaining(message);
  }
}
