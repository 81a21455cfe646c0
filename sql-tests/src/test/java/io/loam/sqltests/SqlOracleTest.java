package io.loam.sqltests;

import static java.util.Comparator.comparing;
import static java.util.Comparator.nullsLast;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SQL over random rows, against plain Java over the same rows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlOracleTest {
  private static final long SEED = 20261130;

  @TempDir static Path folder;
  private static Connection connection;

  /** Rows by table: {@code a} has a number as its key, {@code b} text, {@code c} none. */
  private static final Map<String, List<Row>> TABLES = new LinkedHashMap<>();

  /** How many random conditions are tried on each table. */
  int conditions() {
    return 100;
  }

  /** Opens a new warehouse. */
  Connection connect() throws SQLException {
    return Sql.connect(folder);
  }

  @BeforeAll
  void load() throws SQLException {
    Random random = new Random(SEED);
    connection = connect();
    create("a", " PRIMARY KEY", "");
    create("b", "", " PRIMARY KEY");
    create("c", "", "");
    for (String table : List.of("a", "b", "c")) {
      List<Row> rows = new ArrayList<>();
      int step = table.equals("b") ? 2 : 1;
      for (int i = 0; i < 200; i++) {
        rows.add(Row.random(random, (long) i * step));
      }
      if (table.equals("c")) {
        rows.addAll(List.copyOf(rows.subList(0, 20)));
      }
      // One commit large enough for a split, then a tail.
      insert(table, rows.subList(0, 150));
      insert(table, rows.subList(150, rows.size()));
      TABLES.put(table, rows);
    }
  }

  @AfterAll
  void close() throws SQLException {
    connection.close();
  }

  private static void create(String table, String idKey, String codeKey) throws SQLException {
    Sql.run(
        connection, "CREATE TABLE " + table + " (" + Row.COLUMNS.formatted(idKey, codeKey) + ")");
  }

  private static void insert(String table, List<Row> rows) throws SQLException {
    String sql = "INSERT INTO " + table + " VALUES (?" + ", ?".repeat(15) + ")";
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (Row row : rows) {
        Sql.bind(insert, row.values());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static List<Row> rows(String table) {
    return Objects.requireNonNull(TABLES.get(table));
  }

  private static List<Long> ids(Stream<Row> rows) {
    return rows.map(Row::id).sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c"})
  void everyTypeRoundTrips(String table) throws SQLException {
    assertThat(Sql.rows(connection, "SELECT * FROM " + table + " ORDER BY id"))
        .isEqualTo(rows(table).stream().sorted(comparing(Row::id)).map(Row::plain).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c"})
  void conditionsKeepWhatJavaKeeps(String table) throws SQLException {
    Random random = new Random(SEED + table.hashCode());
    for (int i = 0; i < conditions(); i++) {
      Condition condition = Condition.random(random, 3);
      String sql = "SELECT id FROM " + table + " WHERE " + condition.sql() + " ORDER BY id";
      assertThat(Sql.column(connection, sql))
          .as(sql)
          .isEqualTo(ids(rows(table).stream().filter(condition::keeps)));
    }
  }

  @Test
  void ordersAndPages() throws SQLException {
    Random random = new Random(SEED);
    Map<String, Comparator<Row>> orders =
        Map.of(
            "n DESC NULLS LAST, id", comparing(Row::n, nullsLast(Comparator.reverseOrder())),
            "lang NULLS FIRST, id", comparing(Row::lang, Comparator.nullsFirst(byText())),
            "price NULLS LAST, id", comparing(Row::price, nullsLast(Comparator.naturalOrder())),
            "seen NULLS LAST, id", comparing(Row::seen, nullsLast(Comparator.naturalOrder())));
    for (Map.Entry<String, Comparator<Row>> order : orders.entrySet()) {
      int offset = random.nextInt(150);
      int limit = random.nextInt(100);
      String sql =
          "SELECT id FROM a WHERE id > 3 ORDER BY %s LIMIT %d OFFSET %d"
              .formatted(order.getKey(), limit, offset);
      assertThat(Sql.column(connection, sql))
          .as(sql)
          .isEqualTo(
              rows("a").stream()
                  .filter(r -> r.id() > 3)
                  .sorted(order.getValue().thenComparing(Row::id))
                  .skip(offset)
                  .limit(limit)
                  .map(Row::id)
                  .toList());
    }
  }

  private static Comparator<String> byText() {
    return Comparator.naturalOrder();
  }

  @Test
  void groupsAndHaving() throws SQLException {
    Map<String, List<Row>> groups =
        rows("a").stream()
            .filter(r -> r.lang() != null)
            .collect(Collectors.groupingBy(Row::lang, TreeMap::new, Collectors.toList()));
    List<List<@Nullable Object>> expected = new ArrayList<>();
    groups.forEach(
        (lang, rows) -> {
          if (rows.size() > 25) {
            expected.add(
                Arrays.asList(
                    lang,
                    (long) rows.size(),
                    values(rows, Row::n).count(),
                    values(rows, Row::n).distinct().count(),
                    values(rows, Row::x).min(Comparator.naturalOrder()).orElse(null),
                    values(rows, Row::born).max(Comparator.naturalOrder()).orElse(null),
                    values(rows, Row::price).reduce(java.math.BigDecimal::add).orElse(null)));
          }
        });
    assertThat(expected).hasSizeBetween(1, Row.LANGUAGES.size());
    assertThat(
            Sql.rows(
                connection,
                "SELECT lang, count(*), count(n), count(DISTINCT n), min(x), max(born), sum(price)"
                    + " FROM a WHERE lang IS NOT NULL GROUP BY lang HAVING count(*) > 25"
                    + " ORDER BY lang"))
        .isEqualTo(expected);
  }

  @Test
  void groupsThatTheScanMakes() throws SQLException {
    Map<List<@Nullable Object>, List<Row>> groups = new HashMap<>();
    for (Row row : rows("a")) {
      if (row.n() == null || row.n() != 3) {
        groups
            .computeIfAbsent(Arrays.asList(row.lang(), row.born()), k -> new ArrayList<>())
            .add(row);
      }
    }
    Set<List<@Nullable Object>> expected = new HashSet<>();
    groups.forEach(
        (key, rows) -> {
          List<@Nullable Object> group = new ArrayList<>(key);
          group.add((long) rows.size());
          group.add(values(rows, Row::n).count());
          group.add(values(rows, Row::n).map(Long::valueOf).reduce(Long::sum).orElse(null));
          OptionalDouble mean = values(rows, Row::n).mapToInt(n -> n).average();
          group.add(mean.isPresent() ? (Object) mean.getAsDouble() : null);
          group.add(values(rows, Row::id).min(Comparator.naturalOrder()).orElse(null));
          group.add(values(rows, Row::lang).max(Comparator.naturalOrder()).orElse(null));
          expected.add(group);
        });
    assertThat(
            Sql.rows(
                connection,
                "SELECT lang, born, count(*), count(n), sum(n), avg(n), min(id), max(lang) FROM a"
                    + " WHERE n <> 3 OR n IS NULL GROUP BY lang, born"))
        .hasSize(expected.size())
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private static <T> Stream<T> values(List<Row> rows, Function<Row, @Nullable T> column) {
    return rows.stream().map(column).filter(Objects::nonNull);
  }

  @Test
  void joins() throws SQLException {
    Map<Long, Row> other = rows("b").stream().collect(Collectors.toMap(Row::id, r -> r));
    List<List<@Nullable Object>> inner = new ArrayList<>();
    List<List<@Nullable Object>> left = new ArrayList<>();
    for (Row row : rows("a")) {
      Row match = other.get(row.id());
      left.add(Arrays.asList(row.id(), match == null ? null : match.lang()));
      if (match != null && row.n() != null && row.n() < 5) {
        inner.add(Arrays.asList(row.id(), match.lang()));
      }
    }
    assertThat(
            Sql.rows(
                connection,
                "SELECT a.id, b.lang FROM a JOIN b ON a.id = b.id WHERE a.n < 5 ORDER BY a.id"))
        .isEqualTo(inner);
    assertThat(
            Sql.rows(
                connection, "SELECT a.id, b.lang FROM a LEFT JOIN b ON a.id = b.id ORDER BY a.id"))
        .isEqualTo(left);
  }

  @Test
  void windows() throws SQLException {
    Map<String, Long> sums = new TreeMap<>();
    Map<String, Long> places = new TreeMap<>();
    List<List<@Nullable Object>> expected = new ArrayList<>();
    for (Row row : rows("a")) {
      String lang = String.valueOf(row.lang());
      places.merge(lang, 1L, Long::sum);
      if (row.n() != null) {
        sums.merge(lang, (long) row.n(), Long::sum);
      }
      expected.add(Arrays.asList(row.id(), places.get(lang), sums.get(lang)));
    }
    assertThat(
            Sql.rows(
                connection,
                "SELECT id, row_number() OVER (PARTITION BY lang ORDER BY id),"
                    + " sum(CAST(n AS BIGINT)) OVER (PARTITION BY lang ORDER BY id)"
                    + " FROM a ORDER BY id"))
        .isEqualTo(expected);
  }

  @Test
  void subqueriesAndSets() throws SQLException {
    List<Long> a = rows("a").stream().filter(r -> r.n() != null && r.n() < 3).map(Row::id).toList();
    List<Long> b = rows("b").stream().filter(r -> "en".equals(r.lang())).map(Row::id).toList();
    check(
        "SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.id = a.id AND b.lang = 'en')",
        ids(rows("a").stream().filter(r -> b.contains(r.id()))));
    check(
        "SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.id = a.id)",
        ids(rows("a").stream().filter(r -> r.id() % 2 == 1)));
    check(
        "SELECT id FROM a WHERE id IN (SELECT id FROM b WHERE lang = 'en')",
        ids(rows("a").stream().filter(r -> b.contains(r.id()))));
    String small = "SELECT id FROM a WHERE n < 3";
    String english = "SELECT id FROM b WHERE lang = 'en'";
    check(small + " UNION " + english, sorted(Stream.concat(a.stream(), b.stream()).distinct()));
    check(small + " UNION ALL " + english, sorted(Stream.concat(a.stream(), b.stream())));
    check(small + " INTERSECT " + english, sorted(a.stream().filter(b::contains)));
    check(small + " EXCEPT " + english, sorted(a.stream().filter(id -> !b.contains(id))));
  }

  private static List<Long> sorted(Stream<Long> ids) {
    return ids.sorted().toList();
  }

  private static void check(String sql, List<Long> expected) throws SQLException {
    List<Long> found = new ArrayList<>();
    Sql.column(connection, sql).forEach(id -> found.add((Long) id));
    assertThat(found.stream().sorted().toList()).as(sql).isEqualTo(expected);
  }

  /** Copies a table with INSERT … SELECT, deletes from it again and again, reads every version. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c"})
  void deletesAndVersions(String table) throws SQLException {
    String copy = table + "_copy";
    create(copy, table.equals("a") ? " PRIMARY KEY" : "", table.equals("b") ? " PRIMARY KEY" : "");
    assertThat(Sql.run(connection, "INSERT INTO " + copy + " SELECT * FROM " + table))
        .isEqualTo(rows(table).size());
    Random random = new Random(SEED);
    List<Row> live = new ArrayList<>(rows(table));
    Map<Long, List<Long>> versions = new TreeMap<>();
    versions.put(version(copy), ids(live.stream()));
    for (int i = 0; i < 12 && !live.isEmpty(); i++) {
      Condition condition = Condition.random(random, 2);
      String narrowed = "(" + condition.sql() + ") AND id > " + i * 8;
      long threshold = i * 8L;
      List<Row> gone = live.stream().filter(r -> condition.keeps(r) && r.id() > threshold).toList();
      assertThat(Sql.run(connection, "DELETE FROM " + copy + " WHERE " + narrowed))
          .as(narrowed)
          .isEqualTo(gone.size());
      live.removeAll(gone);
      List<Row> added = List.of(Row.random(random, 10_000L + i));
      insert(copy, added);
      live.addAll(added);
      versions.put(version(copy), ids(live.stream()));
    }
    assertThat(versions).hasSizeGreaterThan(5);
    for (Map.Entry<Long, List<Long>> version : versions.entrySet()) {
      String then = copy + " FOR VERSION AS OF " + version.getKey();
      check("SELECT id FROM " + then, version.getValue());
      check(
          "SELECT t.id FROM " + then + " AS t WHERE t.id NOT IN (SELECT id FROM " + copy + ")",
          sorted(
              version.getValue().stream()
                  .filter(id -> live.stream().noneMatch(r -> r.id() == id))));
    }
  }

  private static long version(String table) throws SQLException {
    String sql = "SELECT max(version) FROM \"" + table + "$manifests\"";
    return (Long) Objects.requireNonNull(Sql.column(connection, sql).get(0));
  }
}
