package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters of searches, from no row to all, and of every kind of condition. */
class SearchFilterTest {
  private static final int ROWS = 6_000;

  @TempDir static Path folder;
  private static Connection connection;
  private static final List<Row> LIVE = new ArrayList<>();

  /** A search of the table, as a function and as a sort of the table; {@code %s} is a condition. */
  private record Way(String sql, Predicate<Row> matches) {}

  private static final List<Way> WAYS =
      List.of(
          new Way(
              "SELECT id, _score FROM bm25('docs', 'body', 'wing heat', k => %2$d, filter => %3$s)",
              SearchFilterTest::hasWords),
          new Way(
              "SELECT id, score() FROM docs WHERE match(body, 'wing heat') AND (%1$s)"
                  + " ORDER BY score() DESC LIMIT %2$d",
              SearchFilterTest::hasWords),
          new Way(
              "SELECT id, _score FROM vector_search('docs', 'v', '[1,2,3,4,5,6,7,8,9,10,11]',"
                  + " k => %2$d, filter => %3$s)",
              row -> row.v() != null),
          new Way(
              "SELECT id, cosine_distance(v, '[1,2,3,4,5,6,7,8,9,10,11]') FROM docs WHERE (%1$s)"
                  + " ORDER BY cosine_distance(v, '[1,2,3,4,5,6,7,8,9,10,11]') LIMIT %2$d",
              row -> true),
          new Way(
              "SELECT id, _score FROM sparse_match('docs', 's', '{\"0\":1,\"3000\":2}', k => %2$d,"
                  + " filter => %3$s)",
              row ->
                  row.s() != null
                      && (row.s().contains("\"0\":") || row.s().contains("\"3000\":"))));

  private static boolean hasWords(Row row) {
    return row.body() != null && (row.body().contains("wing") || row.body().contains("heat"));
  }

  @BeforeAll
  static void load() throws SQLException {
    Random random = new Random(41);
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (" + Row.COLUMNS.formatted(" PRIMARY KEY", "") + ")");
    for (int from = 0; from < ROWS; from += ROWS / 2) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO docs VALUES (?" + ", ?".repeat(15) + ")")) {
        for (int i = from; i < from + ROWS / 2; i++) {
          Row row = Row.random(random, i);
          LIVE.add(row);
          Sql.bind(insert, row.values());
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
    Sql.run(connection, "DELETE FROM docs WHERE id >= 500 AND id < 600");
    LIVE.removeIf(row -> row.id() >= 500 && row.id() < 600);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  /** Checks one condition with all searches: the whole ranking under it, and its beginnings. */
  private static void check(String condition, Predicate<Row> kept) throws SQLException {
    Set<Long> allowed = LIVE.stream().filter(kept).map(Row::id).collect(Collectors.toSet());
    for (Way way : WAYS) {
      List<List<@Nullable Object>> expected =
          unfiltered(way).stream().filter(row -> allowed.contains((Long) row.get(0))).toList();
      assertThat(expected)
          .as(way.sql)
          .hasSize((int) LIVE.stream().filter(kept).filter(way.matches).count());
      for (int k : new int[] {1, 10, 20_000}) {
        String sql = way.sql.formatted(condition, k, Condition.quoted(condition));
        assertThat(Sql.rows(connection, sql))
            .as(sql)
            .isEqualTo(expected.stream().limit(k).toList());
      }
    }
  }

  private static final Map<Way, List<List<@Nullable Object>>> UNFILTERED = new LinkedHashMap<>();

  private static List<List<@Nullable Object>> unfiltered(Way way) throws SQLException {
    if (!UNFILTERED.containsKey(way)) {
      UNFILTERED.put(way, Sql.rows(connection, way.sql.formatted("id >= 0", 20_000, "'id >= 0'")));
    }
    return Objects.requireNonNull(UNFILTERED.get(way));
  }

  @Test
  void p7_anySelectivity() throws SQLException {
    check("id < 0", row -> false);
    check("id = 7", row -> row.id() == 7);
    check("id BETWEEN 1000 AND 1001", row -> row.id() >= 1000 && row.id() <= 1001);
    check("id < 60", row -> row.id() < 60);
    check("n = 3", row -> row.n() != null && row.n() == 3);
    check("id >= 3000", row -> row.id() >= 3000);
    check("id >= 0", row -> true);
  }

  @Test
  void conditionsOfEveryKind() throws SQLException {
    check("MOD(id, 7) = 3", row -> row.id() % 7 == 3);
    check("n < id / 1000", row -> row.n() != null && row.n() < row.id() / 1000);
    check(
        "upper(lang) = 'EN' AND n + 1 > 4",
        row -> "en".equals(row.lang()) && row.n() != null && row.n() + 1 > 4);
    check("NOT (n + 1 > 4)", row -> row.n() != null && row.n() + 1 <= 4);
    check(
        "n + 1 > 4 OR lang IS NULL",
        row -> row.lang() == null || (row.n() != null && row.n() + 1 > 4));
    check("array_contains(tags, 't1')", row -> row.tags() != null && row.tags().contains("t1"));
    check(
        "CASE WHEN ok THEN n ELSE 5 END = 5",
        row -> Boolean.TRUE.equals(row.ok()) ? Objects.equals(row.n(), 5) : true);
    check(
        "EXTRACT(DAY FROM born) = 3",
        row -> row.born() != null && row.born().toLocalDate().getDayOfMonth() == 3);
    check("price * 2 > 30.5", row -> row.price() != null && row.price().doubleValue() * 2 > 30.5);
    check(
        "ref IS NULL AND char_length(code) > 4",
        row -> row.ref() == null && row.code().length() > 4);
    check(
        "body LIKE '%wing plate%'", row -> row.body() != null && row.body().contains("wing plate"));
    check(
        "NOT match(body, 'shear') AND (match(body, 'plate') OR n = 3)",
        row ->
            (row.body() == null || !row.body().contains("shear"))
                && ((row.body() != null && row.body().contains("plate"))
                    || Objects.equals(row.n(), 3)));
    check(
        "JSON_VALUE(extra, '$.a') = '3'", row -> row.extra() != null && row.extra().contains("3"));
    check(
        "JSON_VALUE(extra, '$.a' RETURNING INTEGER) < 2 AND n < 5",
        row ->
            row.extra() != null
                && row.extra().matches(".*[01].*")
                && row.n() != null
                && row.n() < 5);
    check("JSON_VALUE(_source, '$.lang') = 'de'", row -> "de".equals(row.lang()));
  }

  @Test
  void timesOfTheStatement() throws SQLException {
    check("born < CURRENT_DATE", row -> row.born() != null);
    check("id < 60 AND LOCALTIMESTAMP > TIMESTAMP '2020-01-01 00:00:00'", row -> row.id() < 60);
    check("CURRENT_TIMESTAMP < TIMESTAMP '2020-01-01 00:00:00'", row -> false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          count(*) > 1 | 0A000 | around the search
          SUM(n) > 1 | 0A000 | around the search
          GROUPING(n) = 1 | 0A000 | around the search
          rank() OVER (ORDER BY n) = 1 | 0A000 | around the search
          LAG(n) OVER () = 1 | 0A000 | around the search
          n > 1 AND score() > 1 | 0A000 | _score in WHERE
          'a' MEMBER OF tags | 0A000 | array_contains
          ref > 'zz' | 22P02 | value=zz
          ref = 'zz' | 22P02 | value=zz
          nosuch = 1 | 42703 | column=nosuch
          """)
  void whatFiltersCannotHoldIsToldWithAMend(String filter, String state, String mend) {
    String query = "SELECT id FROM bm25('docs', 'body', 'wing', filter => ";
    assertThatThrownBy(() -> Sql.rows(connection, query + Condition.quoted(filter) + ")"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
        .hasMessageContaining(mend);
  }

  @Test
  void conditionsMoveBelowTheLimit() throws SQLException {
    for (Way way : List.of(WAYS.get(1), WAYS.get(3))) {
      for (String condition :
          List.of("n = 3", "MOD(id, 7) = 3", "JSON_VALUE(extra, '$.a') = '3' AND n < id")) {
        String plan =
            Objects.requireNonNull(
                    Sql.column(
                            connection, "EXPLAIN PLAN FOR " + way.sql.formatted(condition, 10, ""))
                        .get(0))
                .toString()
                .strip();
        assertThat(plan)
            .startsWith("LoamScan(")
            .contains("search=[", "filter=[", "limit=[10]")
            .doesNotContain("\n", "_UTF-8")
            .doesNotContainPattern("\\$\\d");
      }
    }
  }

  @Test
  void aFilterNeverAddsRows() throws SQLException {
    Random random = new Random(42);
    for (int i = 0; i < 5; i++) {
      String condition = Condition.random(random, 2).sql();
      for (Way way : WAYS) {
        Set<List<@Nullable Object>> all = new HashSet<>(unfiltered(way));
        int found = 0;
        for (String part :
            List.of(
                "(" + condition + ")", "NOT (" + condition + ")", "(" + condition + ") IS NULL")) {
          List<List<@Nullable Object>> rows =
              Sql.rows(connection, way.sql.formatted(part, 20_000, Condition.quoted(part)));
          found += rows.size();
          assertThat(all.containsAll(rows)).as(part).isTrue();
        }
        assertThat(found).as(condition + way).isEqualTo(all.size());
      }
    }
  }
}
