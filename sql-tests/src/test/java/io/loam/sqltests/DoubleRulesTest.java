package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * NaN, infinities and zeros of both signs in conditions, joins, sorts, groups and windows, whether
 * scans or generated code compute them: NaN equals itself and is above all other numbers, zeros are
 * equal.
 */
class DoubleRulesTest {
  private static final long SEED = 20261130;
  private static final int ROWS = 600;

  @TempDir static Path folder;
  private static Connection connection;
  private static final List<Row> ROWS_OF_TABLE = new ArrayList<>();

  private record Row(long id, @Nullable Double d, @Nullable Float r, @Nullable Integer n) {}

  private record Operand(String sql, Function<Row, @Nullable Double> value) {}

  /** NULL for unknown. */
  private record Condition(String sql, Function<Row, @Nullable Boolean> value) {}

  private static final List<Operand> OPERANDS =
      List.of(
          new Operand("d", Row::d),
          new Operand("d", Row::d),
          new Operand("r", row -> row.r() == null ? null : (double) row.r()),
          new Operand("n", row -> row.n() == null ? null : (double) row.n()),
          new Operand("d * 2", row -> row.d() == null ? null : row.d() * 2),
          new Operand("CAST('NaN' AS DOUBLE)", row -> Double.NaN),
          new Operand("CAST('Infinity' AS DOUBLE)", row -> Double.POSITIVE_INFINITY),
          new Operand("CAST('-0.0' AS DOUBLE)", row -> -0.0),
          new Operand("0", row -> 0.0),
          new Operand("1.5", row -> 1.5),
          new Operand("-2e0", row -> -2.0));

  private static final List<String> SIGNS = List.of("=", "<>", "<", "<=", ">", ">=");

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE t (id BIGINT PRIMARY KEY, d DOUBLE, r REAL, n INTEGER, body TEXT)");
    Random random = new Random(SEED);
    List<Double> specials =
        List.of(
            Double.NaN,
            Double.longBitsToDouble(0xFFF8000000000000L),
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            0.0,
            -0.0,
            1.5,
            -2.0,
            3.0);
    for (int id = 0; id < ROWS; id++) {
      ROWS_OF_TABLE.add(
          new Row(
              id,
              random.nextInt(6) == 0 ? null : specials.get(random.nextInt(specials.size())),
              random.nextInt(6) == 0
                  ? null
                  : specials.get(random.nextInt(specials.size())).floatValue(),
              random.nextInt(6) == 0 ? null : random.nextInt(7) - 3));
    }
    insert(ROWS_OF_TABLE.subList(0, ROWS - 20));
    insert(ROWS_OF_TABLE.subList(ROWS - 20, ROWS));
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static void insert(List<Row> rows) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?, 'wing')")) {
      for (Row row : rows) {
        Sql.bind(insert, row.id(), row.d(), row.r(), row.n());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static int order(double a, double b) {
    return Double.compare(a + 0.0, b + 0.0);
  }

  private static IntPredicate test(String sign) {
    return switch (sign) {
      case "=" -> o -> o == 0;
      case "<>" -> o -> o != 0;
      case "<" -> o -> o < 0;
      case "<=" -> o -> o <= 0;
      case ">" -> o -> o > 0;
      default -> o -> o >= 0;
    };
  }

  private static Condition condition(Random random, int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      return comparison(random);
    }
    Condition left = condition(random, depth - 1);
    Condition right = condition(random, depth - 1);
    return switch (random.nextInt(5)) {
      case 0 -> combined(left, "AND", right, false);
      case 1 -> combined(left, "OR", right, true);
      case 2 -> new Condition("NOT (" + left.sql + ")", row -> negated(left.value.apply(row)));
      case 3 ->
          new Condition(
              "(" + left.sql + ") IS FALSE", row -> Boolean.FALSE.equals(left.value.apply(row)));
      default ->
          new Condition(
              "(" + left.sql + ") IS NOT TRUE", row -> !Boolean.TRUE.equals(left.value.apply(row)));
    };
  }

  private static Condition combined(Condition a, String word, Condition b, boolean decisive) {
    return new Condition(
        "(" + a.sql + " " + word + " " + b.sql + ")",
        row -> {
          Boolean x = a.value.apply(row);
          Boolean y = b.value.apply(row);
          if (Objects.equals(x, decisive) || Objects.equals(y, decisive)) {
            return decisive;
          }
          return (x == null || y == null) ? null : (Boolean) !decisive;
        });
  }

  private static @Nullable Boolean negated(@Nullable Boolean value) {
    return value == null ? null : (Boolean) !value;
  }

  private static Condition comparison(Random random) {
    Operand a = OPERANDS.get(random.nextInt(OPERANDS.size()));
    Operand b = OPERANDS.get(random.nextInt(OPERANDS.size()));
    Operand c = OPERANDS.get(random.nextInt(OPERANDS.size()));
    if (random.nextInt(6) == 0) {
      Function<Row, @Nullable Boolean> low = compare(a, test(">="), b);
      Function<Row, @Nullable Boolean> high = compare(a, test("<="), c);
      return new Condition(
          a.sql + " BETWEEN " + b.sql + " AND " + c.sql,
          combined(new Condition("", low), "", new Condition("", high), false).value);
    }
    if (random.nextInt(6) == 0) {
      return new Condition(
          a.sql + " IN (" + b.sql + ", " + c.sql + ")",
          combined(
                  new Condition("", compare(a, test("="), b)),
                  "",
                  new Condition("", compare(a, test("="), c)),
                  true)
              .value);
    }
    String sign = SIGNS.get(random.nextInt(SIGNS.size()));
    return new Condition(a.sql + " " + sign + " " + b.sql, compare(a, test(sign), b));
  }

  private static Function<Row, @Nullable Boolean> compare(Operand a, IntPredicate test, Operand b) {
    return row -> {
      Double x = a.value.apply(row);
      Double y = b.value.apply(row);
      return (x == null || y == null) ? null : (Boolean) test.test(order(x, y));
    };
  }

  private static List<Object> ids(Condition condition, @Nullable Boolean value) {
    return ROWS_OF_TABLE.stream()
        .filter(row -> Objects.equals(condition.value.apply(row), value))
        .map(row -> (Object) row.id())
        .toList();
  }

  private static List<Object> sorted(String sql) throws SQLException {
    return Sql.column(connection, sql).stream()
        .map(Objects::requireNonNull)
        .sorted(Comparator.comparing(id -> (Long) id))
        .toList();
  }

  @Test
  void conditionsHoldForTheSameRowsWhereverTheyAreComputed() throws SQLException {
    checkConditions(SEED + 1, 25);
  }

  @Test
  @Tag("long")
  void manyConditionsHoldForTheSameRows() throws SQLException {
    checkConditions(SEED + 3, 200);
  }

  private static void checkConditions(long seed, int conditions) throws SQLException {
    Random random = new Random(seed);
    for (int i = 0; i < conditions; i++) {
      Condition p = condition(random, 2);
      assertThat(sorted("SELECT id FROM t WHERE " + p.sql)).as(p.sql).isEqualTo(ids(p, true));
      assertThat(sorted("SELECT id FROM t WHERE NOT (" + p.sql + ")"))
          .as(p.sql)
          .isEqualTo(ids(p, false));
      assertThat(sorted("SELECT id FROM t WHERE (" + p.sql + ") IS NULL"))
          .as(p.sql)
          .isEqualTo(ids(p, null));
      assertThat(
              sorted(
                  "SELECT id FROM (SELECT id, CASE WHEN "
                      + p.sql
                      + " THEN 1 END AS c FROM t) AS q WHERE c + 0 = 1"))
          .as(p.sql)
          .isEqualTo(ids(p, true));
    }
  }

  @Test
  void filtersOfSearchesHoldForTheSameRows() throws SQLException {
    Random random = new Random(SEED + 2);
    for (int i = 0; i < 15; i++) {
      Condition p = condition(random, 1);
      assertThat(
              sorted(
                  "SELECT id FROM bm25('t', 'body', 'wing', k => 1000, filter => '"
                      + p.sql.replace("'", "''")
                      + "')"))
          .as(p.sql)
          .isEqualTo(ids(p, true));
    }
  }

  @Test
  void joinsCompareAlike() throws SQLException {
    List<Row> some = ROWS_OF_TABLE.subList(0, 40);
    for (String sign : SIGNS) {
      for (String right : List.of("b.d", "b.d * 2")) {
        List<List<Object>> expected = new ArrayList<>();
        for (Row a : some) {
          for (Row b : some) {
            Double other = b.d();
            if (a.d() != null && other != null) {
              double value = right.equals("b.d") ? other : other * 2;
              if (test(sign).test(order(a.d(), value))) {
                expected.add(List.of(a.id(), b.id()));
              }
            }
          }
        }
        String sql =
            "SELECT a.id, b.id FROM t AS a JOIN t AS b ON a.d "
                + sign
                + " "
                + right
                + " WHERE a.id < 40 AND b.id < 40";
        assertThat(Sql.rows(connection, sql)).as(sql).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  @Test
  void subqueriesAndOuterJoinsCompareAlike() throws SQLException {
    List<Double> others =
        ROWS_OF_TABLE.subList(0, 9).stream().map(Row::d).filter(Objects::nonNull).toList();
    Condition in =
        new Condition(
            "d IN (SELECT d FROM t WHERE id < 9 AND d IS NOT NULL)",
            row ->
                row.d() == null
                    ? null
                    : (Boolean) others.stream().anyMatch(o -> order(o, row.d()) == 0));
    assertThat(sorted("SELECT id FROM t WHERE " + in.sql)).isEqualTo(ids(in, true));
    assertThat(sorted("SELECT id FROM t WHERE NOT " + in.sql)).isEqualTo(ids(in, false));
    assertThat(
            sorted(
                "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t AS o WHERE o.id < 9 AND o.d = t.d)"))
        .isEqualTo(ids(in, true));
    assertThat(
            sorted(
                "SELECT DISTINCT t.id FROM t LEFT JOIN (SELECT d FROM t WHERE id < 9) AS o"
                    + " ON o.d = t.d * 1.0e0 WHERE o.d IS NOT NULL"))
        .isEqualTo(ids(in, true));
  }

  @Test
  void computedKeysSortAsColumnsDo() throws SQLException {
    for (String key : List.of("d", "r")) {
      for (String order : List.of(" NULLS LAST", " DESC NULLS FIRST", " DESC NULLS LAST")) {
        assertThat(
                Sql.column(
                    connection, "SELECT id FROM t ORDER BY " + key + " * 1.5" + order + ", id"))
            .isEqualTo(Sql.column(connection, "SELECT id FROM t ORDER BY " + key + order + ", id"));
        assertThat(
                Sql.column(
                    connection, "SELECT " + key + " * 1.5 FROM t ORDER BY 1" + order + " LIMIT 50"))
            .isEqualTo(
                Sql.column(
                    connection,
                    "SELECT " + key + " * 1.5 FROM t ORDER BY " + key + order + " LIMIT 50"));
      }
    }
  }

  @Test
  void windowsAndAggregatesKnowTheOrder() throws SQLException {
    Double[] seen = new Double[ROWS];
    Double greatest = null;
    for (Row row : ROWS_OF_TABLE) {
      if (row.d() != null && (greatest == null || Double.compare(row.d(), greatest) > 0)) {
        greatest = row.d();
      }
      seen[(int) row.id()] = greatest;
    }
    assertThat(Sql.column(connection, "SELECT max(d) OVER (ORDER BY id) FROM t ORDER BY id"))
        .isEqualTo(Arrays.asList(seen));
    List<Double> sorted =
        ROWS_OF_TABLE.stream().map(Row::d).filter(Objects::nonNull).sorted().toList();
    assertThat(Sql.rows(connection, "SELECT max(d / 2), min(d / 2), max(r * 2), min(r * 2) FROM t"))
        .containsExactly(
            List.of(Double.NaN, Double.NEGATIVE_INFINITY, Float.NaN, Float.NEGATIVE_INFINITY));
    List<Object> ranks =
        sorted.stream()
            .map(d -> (Object) (1L + sorted.stream().filter(e -> order(e, d) < 0).count()))
            .toList();
    assertThat(
            Sql.column(
                connection,
                "SELECT k FROM (SELECT d, rank() OVER (ORDER BY d) AS k FROM t) AS w"
                    + " WHERE d IS NOT NULL ORDER BY k"))
        .isEqualTo(ranks);
  }

  @Test
  void groupsHaveOneNaN() throws SQLException {
    long nans =
        ROWS_OF_TABLE.stream().map(Row::d).filter(d -> d != null && Double.isNaN(d)).count();
    long zeros = ROWS_OF_TABLE.stream().map(Row::d).filter(d -> d != null && d == 0).count();
    assertThat(Sql.column(connection, "SELECT count(*) FROM t GROUP BY d HAVING d = 0"))
        .containsExactly(zeros);
    assertThat(Sql.column(connection, "SELECT count(DISTINCT d) FROM t WHERE d BETWEEN -1 AND 1"))
        .containsExactly(1L);
    assertThat(
            Sql.column(connection, "SELECT d FROM t WHERE d = 0 UNION SELECT d FROM t WHERE d = 0"))
        .hasSize(1);
    assertThat(
            Sql.column(
                connection,
                "SELECT max(c) FROM (SELECT d, count(*) OVER (PARTITION BY d) AS c FROM t) AS w"
                    + " WHERE d = 0"))
        .containsExactly(zeros);
    for (String key : List.of("d", "d * 2")) {
      assertThat(
              Sql.column(
                  connection,
                  "SELECT n FROM (SELECT "
                      + key
                      + " AS k, count(*) AS n FROM t GROUP BY "
                      + key
                      + ") AS g WHERE k = 'NaN'"))
          .as(key)
          .containsExactly(nans);
    }
  }
}
