package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GROUP BY and aggregates over several splits, deletes and a tail, against brute force. */
class AggregateTest {
  private static final int SPLITS = 3;
  private static final int ROWS = 18_000;

  @TempDir static Path folder;
  private static Connection connection;
  private static final List<Row> LIVE = new ArrayList<>();

  /** A column that can be grouped by. */
  private record Group(String sql, Function<Row, @Nullable Object> value) {}

  /** An aggregate: what it gives for the rows of a group. */
  private record Call(String sql, Function<List<Row>, @Nullable Object> value) {}

  private static final List<Group> GROUPS =
      List.of(
          new Group("lang", Row::lang),
          new Group("n", Row::n),
          new Group("ok", Row::ok),
          new Group("born", Row::born),
          new Group("id", Row::id));

  private static final List<Call> CALLS =
      List.of(
          new Call("count(*)", rows -> (long) rows.size()),
          new Call("count(x)", rows -> (long) values(rows, Row::x).size()),
          new Call("count(DISTINCT lang)", rows -> distinct(rows, Row::lang)),
          new Call("count(DISTINCT n)", rows -> distinct(rows, Row::n)),
          new Call("count(DISTINCT id)", rows -> distinct(rows, Row::id)),
          new Call("sum(n)", rows -> sum(values(rows, r -> r.n() == null ? null : (long) r.n()))),
          new Call("sum(price)", rows -> decimals(values(rows, Row::price))),
          new Call("sum(x)", rows -> doubles(values(rows, Row::x))),
          new Call(
              "sum(r)", rows -> doubles(values(rows, w -> w.r() == null ? null : (double) w.r()))),
          new Call("avg(x)", rows -> average(doubles(values(rows, Row::x)), rows)),
          new Call("min(x)", rows -> least(values(rows, Row::x))),
          new Call("max(r)", rows -> greatest(values(rows, Row::r))),
          new Call("min(price)", rows -> least(values(rows, Row::price))),
          new Call("max(lang)", rows -> greatest(values(rows, Row::lang))),
          new Call("min(born)", rows -> least(values(rows, Row::born))),
          new Call("max(seen)", rows -> greatest(values(rows, Row::seen))),
          new Call("max(id)", rows -> greatest(values(rows, Row::id))));

  private static <T> List<T> values(List<Row> rows, Function<Row, @Nullable T> column) {
    List<T> values = new ArrayList<>();
    for (Row row : rows) {
      T value = column.apply(row);
      if (value != null) {
        values.add(value);
      }
    }
    return values;
  }

  private static <T> long distinct(List<Row> rows, Function<Row, @Nullable T> column) {
    return values(rows, column).stream().distinct().count();
  }

  private static @Nullable Long sum(List<Long> values) {
    return values.stream().reduce(Long::sum).orElse(null);
  }

  private static @Nullable BigDecimal decimals(List<BigDecimal> values) {
    return values.stream().reduce(BigDecimal::add).orElse(null);
  }

  /** The exact sum, rounded once. */
  private static @Nullable Double doubles(List<Double> values) {
    BigDecimal sum = decimals(values.stream().map(BigDecimal::new).toList());
    return sum == null ? null : sum.doubleValue();
  }

  private static @Nullable Double average(@Nullable Double sum, List<Row> rows) {
    return sum == null ? null : sum / values(rows, Row::x).size();
  }

  private static <T extends Comparable<? super T>> @Nullable T least(List<T> values) {
    return values.isEmpty() ? null : Collections.min(values);
  }

  private static <T extends Comparable<? super T>> @Nullable T greatest(List<T> values) {
    return values.isEmpty() ? null : Collections.max(values);
  }

  @BeforeAll
  static void load() throws SQLException {
    Random random = new Random(23);
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (" + Row.COLUMNS.formatted(" PRIMARY KEY", "") + ")");
    for (int split = 0; split < SPLITS; split++) {
      insert(random, (long) split * ROWS, ROWS);
    }
    Sql.run(connection, "DELETE FROM docs WHERE id >= 700 AND id < 1400");
    LIVE.removeIf(row -> row.id() >= 700 && row.id() < 1400);
    insert(random, (long) SPLITS * ROWS, 7);
  }

  private static void insert(Random random, long first, int count) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?" + ", ?".repeat(15) + ")")) {
      for (long id = first; id < first + count; id++) {
        Row row = Row.random(random, id);
        LIVE.add(row);
        Sql.bind(insert, row.values());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static void check(List<Group> groups, List<Call> calls, @Nullable Condition condition)
      throws SQLException {
    List<String> columns = new ArrayList<>();
    groups.forEach(group -> columns.add(group.sql));
    String by = String.join(", ", columns);
    calls.forEach(call -> columns.add(call.sql));
    String sql =
        "SELECT "
            + String.join(", ", columns)
            + " FROM docs"
            + (condition == null ? "" : " WHERE " + condition.sql())
            + (groups.isEmpty() ? "" : " GROUP BY " + by);
    Map<List<@Nullable Object>, List<Row>> expected = new LinkedHashMap<>();
    if (groups.isEmpty()) {
      expected.put(List.of(), new ArrayList<>());
    }
    for (Row row : LIVE) {
      if (condition == null || condition.keeps(row)) {
        List<@Nullable Object> key =
            Arrays.asList(groups.stream().map(group -> group.value.apply(row)).toArray());
        expected.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
      }
    }
    Set<List<@Nullable Object>> rows = new HashSet<>();
    expected.forEach(
        (key, members) -> {
          List<@Nullable Object> row = new ArrayList<>(key);
          calls.forEach(call -> row.add(call.value.apply(members)));
          rows.add(row);
        });
    List<List<@Nullable Object>> found = Sql.rows(connection, sql);
    assertThat(found).as(sql).hasSameSizeAs(rows);
    assertThat(new HashSet<>(found)).as(sql).isEqualTo(rows);
    assertThat(plan(sql)).as(sql).doesNotContain("Aggregate").contains("groups=[");
  }

  private static String plan(String sql) throws SQLException {
    return Objects.requireNonNull(Sql.column(connection, "EXPLAIN PLAN FOR " + sql).get(0))
        .toString();
  }

  @Test
  void aggregatesOfABareNull() throws SQLException {
    String rows = "(SELECT NULL AS z, ok, n FROM (VALUES (TRUE, 1), (TRUE, 2)) AS v (ok, n))";
    List<@Nullable Object> expected = Arrays.asList(null, null, null, null, 0L, 2L, 3L);
    String calls = "max(z), min(z), sum(z), avg(z), count(z), count(*), sum(n)";
    assertThat(Sql.rows(connection, "SELECT " + calls + " FROM " + rows)).containsExactly(expected);
    assertThat(Sql.rows(connection, "SELECT " + calls + " FROM " + rows + " GROUP BY ok"))
        .containsExactly(expected);
    assertThat(Sql.column(connection, "SELECT max(z) FROM " + rows + " WHERE n > 5"))
        .containsExactly((Object) null);
    assertThat(Sql.column(connection, "SELECT max(z) FROM " + rows + " WHERE n > 5 GROUP BY ok"))
        .isEmpty();
    assertThat(Sql.column(connection, "SELECT max(z) OVER (ORDER BY n) FROM " + rows))
        .containsExactly(null, null);
    assertThat(Sql.rows(connection, "SELECT max(NULL), sum(NULL), count(NULL) FROM " + rows))
        .containsExactly(Arrays.asList(null, null, 0L));
    assertThatThrownBy(() -> Sql.rows(connection, "SELECT (SELECT z FROM " + rows + ")"))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void everyAggregateByNoColumnToFour() throws SQLException {
    check(List.of(), CALLS, null);
    for (Group group : GROUPS) {
      check(List.of(group), CALLS, null);
    }
    check(GROUPS.subList(0, 2), CALLS, null);
    check(GROUPS.subList(1, 4), CALLS, null);
    check(GROUPS.subList(0, 4), CALLS, null);
    check(GROUPS.subList(1, 5), CALLS, null);
  }

  @Test
  void underRandomConditions() throws SQLException {
    Random random = new Random(5);
    int pushed = 0;
    while (pushed < 12) {
      Condition condition = Condition.random(random, 2);
      List<Group> groups = new ArrayList<>(GROUPS);
      Collections.shuffle(groups, random);
      // What is computed for each row is left to Calcite, aggregates over it too.
      if (!condition.sql().contains("n + 1")
          && !condition.sql().contains("< id")
          && !condition.sql().contains("body")) {
        check(groups.subList(0, random.nextInt(3)), CALLS, condition);
        pushed++;
      }
    }
    check(List.of(), CALLS, new Condition("id < 0", row -> false));
    check(GROUPS.subList(0, 1), CALLS, new Condition("id < 0", row -> false));
  }

  @Test
  void groupsComeInOrderAndInPart() throws SQLException {
    String groups = "SELECT lang, n, count(*) AS c FROM docs GROUP BY lang, n";
    List<List<@Nullable Object>> all = Sql.rows(connection, groups);
    Comparator<List<@Nullable Object>> byLang =
        Comparator.comparing(
            row -> (String) row.get(0), Comparator.nullsLast(Comparator.naturalOrder()));
    Comparator<List<@Nullable Object>> byN =
        Comparator.comparing(
            row -> (Integer) row.get(1), Comparator.nullsLast(Comparator.naturalOrder()));
    Comparator<List<@Nullable Object>> byCount = Comparator.comparing(row -> (Long) row.get(2));
    Map<String, Comparator<List<@Nullable Object>>> orders =
        Map.of(
            "lang, n", byLang.thenComparing(byN),
            "c DESC, lang, n", byCount.reversed().thenComparing(byLang).thenComparing(byN),
            "n DESC, lang DESC", byN.reversed().thenComparing(byLang.reversed()),
            "n NULLS LAST, lang DESC NULLS FIRST", byN.thenComparing(byLang.reversed()));
    for (Map.Entry<String, Comparator<List<@Nullable Object>>> order : orders.entrySet()) {
      for (int[] part : new int[][] {{1_000, 0}, {5, 0}, {7, 30}, {1, 1_000}, {0, 0}}) {
        String sql =
            groups + " ORDER BY " + order.getKey() + " LIMIT " + part[0] + " OFFSET " + part[1];
        assertThat(Sql.rows(connection, sql))
            .as(sql)
            .isEqualTo(all.stream().sorted(order.getValue()).skip(part[1]).limit(part[0]).toList());
        assertThat(plan(sql)).as(sql).startsWith("LoamScan(").contains("order=[");
      }
    }
    assertThat(Sql.column(connection, "SELECT n FROM docs GROUP BY n ORDER BY n LIMIT ?", 3))
        .containsExactly(0, 1, 2);
    assertThat(Sql.rows(connection, "SELECT lang, avg(x) FROM docs GROUP BY lang ORDER BY lang"))
        .extracting(row -> row.get(0))
        .containsExactly("de", "e%", "en", "es", "fr", "it's", null);
    assertThat(Sql.column(connection, "SELECT count(*) FROM docs ORDER BY 1 LIMIT 1"))
        .containsExactly((long) LIVE.size());
  }

  @Test
  void sumsThatDoNotFitAreErrors() throws SQLException {
    Sql.run(connection, "CREATE TABLE sums (id BIGINT PRIMARY KEY, n BIGINT, d DECIMAL(38,2))");
    Sql.run(
        connection,
        "INSERT INTO sums VALUES (1, 9223372036854775807, 123456789012345678901234567890.25),"
            + " (2, 1, 123456789012345678901234567890.50), (3, -1, NULL)");
    assertThat(Sql.column(connection, "SELECT sum(n) FROM sums")).containsExactly(Long.MAX_VALUE);
    assertThat(Sql.rows(connection, "SELECT sum(d), min(d), max(d) FROM sums"))
        .containsExactly(
            List.of(
                new BigDecimal("246913578024691357802469135780.75"),
                new BigDecimal("123456789012345678901234567890.25"),
                new BigDecimal("123456789012345678901234567890.50")));
    assertThatThrownBy(() -> Sql.column(connection, "SELECT sum(n) FROM sums WHERE id < 3"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"))
        .hasMessageContaining("9223372036854775808");
  }

  @Test
  void explainAnalyzeTellsWhatAggregatesDo() throws SQLException {
    String text =
        Sql.column(
                connection,
                "EXPLAIN ANALYZE SELECT lang, count(*) FROM docs WHERE n < 3 GROUP BY lang")
            .toString();
    long passing = LIVE.stream().filter(row -> row.n() != null && row.n() < 3).count();
    assertThat(text)
        .contains("passing the filter=" + passing, "rows grouped=" + passing)
        .containsPattern("filter=\\d+\\.\\d+ ms")
        .contains("groups=7")
        .containsPattern("group=\\d+\\.\\d+ ms");
  }
}
