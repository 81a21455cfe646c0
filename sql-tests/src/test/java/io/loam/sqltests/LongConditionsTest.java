package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists and chains of thousands of values and terms, against plain Java over the same rows. */
class LongConditionsTest {
  private static final long SEED = 77;
  private static final int MANY = 100_000;

  @TempDir static Path folder;
  private static Connection connection;
  private static final List<Row> ROWS = new ArrayList<>();

  /**
   * A column that lists are tried on.
   *
   * @param value a random value that Calcite need not cast
   */
  private record Tried(
      String name, Function<Row, @Nullable Object> column, Function<Random, Object> value) {

    @Override
    public String toString() {
      return name;
    }

    private boolean isUnique() {
      return name.equals("id") || name.equals("code");
    }

    /** Fewer values than a column has, so that some rows are outside the list. */
    List<@Nullable Object> values(Random random, boolean withNull) {
      List<Object> some = Stream.generate(() -> value.apply(random)).limit(5).toList();
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        values.add(isUnique() ? value.apply(random) : Row.pick(random, some));
      }
      if (withNull) {
        values.set(random.nextInt(values.size()), null);
      }
      return values;
    }

    /** The ids of the rows for which IN, or NOT IN, is true. */
    List<Long> expected(List<@Nullable Object> values, boolean negated) {
      return ROWS.stream()
          .filter(
              row -> {
                Object value = column.apply(row);
                if (value == null || (negated && values.contains(null))) {
                  return false;
                }
                return values.contains(value) != negated;
              })
          .map(Row::id)
          .sorted()
          .toList();
    }
  }

  static Stream<Tried> columns() {
    return Stream.of(
        new Tried("id", Row::id, random -> random.nextInt(400) - 50L),
        new Tried("code", Row::code, random -> "c" + random.nextInt(400)),
        new Tried("n", Row::n, random -> random.nextInt(14) - 3),
        new Tried("x", Row::x, random -> random.nextInt(60) / 8.0),
        new Tried("price", Row::price, random -> BigDecimal.valueOf(random.nextInt(2000), 2)),
        new Tried("ok", Row::ok, Random::nextBoolean),
        new Tried(
            "born",
            Row::born,
            random -> Date.valueOf("2020-01-%02d".formatted(1 + random.nextInt(28)))),
        new Tried(
            "seen",
            Row::seen,
            random -> Timestamp.valueOf("2020-01-01 %02d:30:00".formatted(random.nextInt(24)))),
        new Tried("ref", Row::ref, random -> new UUID(0, random.nextInt(12))),
        new Tried("lang", Row::lang, random -> Row.pick(random, Row.LANGUAGES)));
  }

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE a (" + Row.COLUMNS.formatted(" PRIMARY KEY", "") + ")");
    Random random = new Random(SEED);
    for (int i = 0; i < 1_500; i++) {
      ROWS.add(Row.random(random, i));
    }
    insert(ROWS.subList(0, 1_200)); // a split, then a tail
    insert(ROWS.subList(1_200, 1_500));
  }

  private static void insert(List<Row> rows) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO a VALUES (?" + ", ?".repeat(15) + ")")) {
      for (Row row : rows) {
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

  @ParameterizedTest
  @MethodSource("columns")
  void listsOfEachTypeKeepWhatJavaKeeps(Tried tried) throws SQLException {
    Random random = new Random(SEED + tried.name().hashCode());
    for (boolean negated : List.of(false, true)) {
      for (boolean withNull : List.of(false, true)) {
        List<@Nullable Object> values = tried.values(random, withNull);
        List<Long> expected = tried.expected(values, negated);
        String operator = tried.name() + (negated ? " NOT IN (" : " IN (");
        String literals = operator + literals(values) + ")";
        String parameters =
            operator + String.join(", ", Collections.nCopies(values.size(), "?")) + ")";
        assertThat(ids(literals)).as(literals).isEqualTo(expected);
        assertThat(ids(parameters, values.toArray())).as(parameters).isEqualTo(expected);
        assertThat(filtered(literals)).as("filter => " + literals).isEqualTo(expected);
        assertThat(ids("(" + literals + " OR n + 0 IS NULL) AND n + 0 IS NOT NULL"))
            .as("computed by Calcite: " + literals)
            .isEqualTo(
                expected.stream().filter(id -> ROWS.get(id.intValue()).n() != null).toList());
      }
    }
  }

  private static String literals(List<@Nullable Object> values) {
    return values.stream().map(LongConditionsTest::literal).collect(Collectors.joining(", "));
  }

  private static String literal(@Nullable Object value) {
    if (value instanceof Date) {
      return "DATE '" + value + "'";
    }
    if (value instanceof Timestamp) {
      return "TIMESTAMP '" + value.toString().substring(0, 19) + "'";
    }
    return value instanceof String || value instanceof UUID
        ? "'" + value.toString().replace("'", "''") + "'"
        : String.valueOf(value);
  }

  private static List<@Nullable Object> ids(String condition, @Nullable Object... values)
      throws SQLException {
    return Sql.column(connection, "SELECT id FROM a WHERE " + condition + " ORDER BY id", values);
  }

  /** What a condition leaves of a search that finds every row. */
  private static List<@Nullable Object> filtered(String condition) throws SQLException {
    return Sql.column(
        connection,
        "SELECT f.id FROM bm25('a', 'body', 'wing plate flow shear heat body speed mach', 5000,"
            + " filter => '"
            + condition.replace("'", "''")
            + "') AS f UNION SELECT id FROM a WHERE body IS NULL AND ("
            + condition
            + ") ORDER BY id");
  }

  @Test
  void valuesThatDoNotFitTheColumnMatchNothing() throws SQLException {
    String many =
        IntStream.range(0, 30).mapToObj(i -> ", " + i + ".5").collect(Collectors.joining());
    assertThat(ids("id IN (3, 9223372036854775808, -1e300" + many + ")")).containsExactly(3L);
    assertThat(ids("price IN (1.234567" + many.replace(".5", ".00001") + ")")).isEmpty();
    assertThatThrownBy(() -> ids("n IN ('a'" + many.replace(".5", "") + ")"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22P02"));
    assertThatThrownBy(() -> ids("lang IN (1" + many.replace(".5", "") + ")"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42804"));
  }

  @Test
  void computedExpressionsMayBeInALongList() throws SQLException {
    String values =
        IntStream.range(0, 1_000).mapToObj(i -> "" + i * 2).collect(Collectors.joining(","));
    assertThat(ids("id + 1 IN (" + values + ")")).isEqualTo(rowIds(row -> row.id() % 2 == 1));
    assertThat(ids("id + 1 NOT IN (" + values + ")")).isEqualTo(rowIds(row -> row.id() % 2 == 0));
    assertThat(ids("id + 1 NOT IN (NULL, " + values + ")")).isEmpty();
    assertThat(
            Sql.column(
                connection,
                "SELECT sum(CASE WHEN id IN (" + values + ") THEN 1 ELSE 0 END) FROM a"))
        .containsExactly(750L);
  }

  @Test
  void aHundredThousandValuesAreNoTrouble() throws SQLException {
    String keys =
        IntStream.range(700, MANY + 700)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    List<Long> expected = rowIds(row -> row.id() >= 700);
    assertCpuBelow(10, () -> sql(() -> ids("id IN (" + keys + ")")), expected);
    assertCpuBelow(10, () -> sql(() -> filtered("id IN (" + keys + ")")), expected);
  }

  private interface SqlCall<T> {
    T run() throws SQLException;
  }

  private static <T> T sql(SqlCall<T> call) {
    try {
      return call.run();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A cold run takes a second or two; what was quadratic once took minutes. */
  private static void assertCpuBelow(int seconds, Supplier<List<?>> run, List<?> expected) {
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    assertThat(run.get()).isEqualTo(expected);
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    assertThat(nanos / 1_000_000_000L).isLessThan(seconds);
  }

  @Test
  void chainsOfFiveThousandTerms() throws SQLException {
    check(" OR ", i -> "id = " + i * 3, row -> row.id() % 3 == 0);
    check(" AND ", i -> "id <> " + i * 3, row -> row.id() % 3 != 0);
    check(
        " OR ",
        i -> i % 2 == 0 ? "id = " + i : "(id > " + i + " AND id < " + i + ")",
        row -> row.id() % 2 == 0);
    check(
        " AND ",
        i -> "(id <> " + 2 * i + " OR id BETWEEN 10 AND 20 AND n IS NULL)",
        row -> row.id() % 2 == 1 || (row.id() >= 10 && row.id() <= 20 && row.n() == null));
    check(" OR ", i -> "code LIKE 'c%" + (i % 1000 + 100) + "'", row -> row.id() >= 100);
  }

  private static void check(String connective, Function<Integer, String> term, Predicate<Row> keeps)
      throws SQLException {
    String condition =
        IntStream.range(0, 5_000).boxed().map(term).collect(Collectors.joining(connective));
    List<Long> expected = rowIds(keeps);
    assertThat(ids(condition)).as(term.apply(1)).isEqualTo(expected);
    if (!connective.equals(" AND ")) {
      assertThat(filtered(condition)).as("filter => " + term.apply(1)).isEqualTo(expected);
    }
  }

  private static List<Long> rowIds(Predicate<Row> keeps) {
    return ROWS.stream().filter(keeps).map(Row::id).sorted().toList();
  }

  @Test
  void deletesByALongList() throws SQLException {
    Sql.run(connection, "CREATE TABLE d (id BIGINT PRIMARY KEY)");
    String rows =
        IntStream.range(0, 900).mapToObj(i -> "(" + i + ")").collect(Collectors.joining(","));
    Sql.run(connection, "INSERT INTO d VALUES " + rows);
    String gone =
        IntStream.range(0, 300).mapToObj(i -> "" + i * 2).collect(Collectors.joining(","));
    assertThat(Sql.run(connection, "DELETE FROM d WHERE id IN (" + gone + ")")).isEqualTo(300);
    assertThat(Sql.column(connection, "SELECT count(*) FROM d WHERE id NOT IN (" + gone + ")"))
        .containsExactly(600L);
  }
}
