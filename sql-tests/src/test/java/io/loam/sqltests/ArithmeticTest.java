package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Quotients, means and variances have all the digits of their types; so have neighbours. */
class ArithmeticTest {
  private static final int ROWS = 300;

  @TempDir static Path folder;
  private static Connection connection;
  private static final List<BigDecimal> small = new ArrayList<>();
  private static final List<BigDecimal> large = new ArrayList<>();
  private static final List<Double> far = new ArrayList<>();

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE x (id BIGINT PRIMARY KEY, g INTEGER, d DECIMAL(4, 2), w DECIMAL(38, 10),"
            + " f DOUBLE)");
    Random random = new Random(5);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO x VALUES (?, ?, ?, ?, ?)")) {
      for (int i = 0; i < ROWS; i++) {
        small.add(BigDecimal.valueOf(9_000 + random.nextInt(999), 2));
        large.add(new BigDecimal(new BigInteger(90, random), 10));
        far.add(1e9 + random.nextInt(10));
        insert.setLong(1, i);
        insert.setObject(2, i % 3 == 0 ? null : i % 5);
        insert.setBigDecimal(3, small.get(i));
        insert.setBigDecimal(4, large.get(i));
        insert.setDouble(5, far.get(i));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static BigDecimal mean(List<BigDecimal> numbers, int scale) {
    return numbers.stream()
        .reduce(BigDecimal.ZERO, BigDecimal::add)
        .divide(BigDecimal.valueOf(numbers.size()), scale, RoundingMode.HALF_UP);
  }

  @Test
  void quotientsHaveAllTheirDigits() throws SQLException {
    assertThat(Sql.column(connection, "SELECT w / 7 FROM x ORDER BY id"))
        .containsExactlyElementsOf(
            large.stream()
                .map(w -> (Object) w.divide(BigDecimal.valueOf(7), 6, RoundingMode.HALF_UP))
                .toList());
    assertThat(Sql.column(connection, "SELECT CAST(12345678901234567890 AS DECIMAL(20, 0)) / 2"))
        .singleElement()
        .satisfies(q -> assertThat((BigDecimal) q).isEqualByComparingTo("6172839450617283945"));
    assertThat(
            Sql.column(
                connection,
                "SELECT id FROM x WHERE w / 1 = CAST(? AS DECIMAL(38, 6))",
                large.get(3).setScale(6, RoundingMode.HALF_UP)))
        .containsExactly(3L);
  }

  /** The sum of so many of the column's greatest values is far beyond its type. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT avg(d), avg(w) FROM x",
        "SELECT avg(d), avg(w) FROM x HAVING sum(w) > 0",
        "SELECT DISTINCT avg(d) OVER (), avg(w) OVER () FROM x",
        "SELECT avg(a.d), avg(a.w) FROM x a JOIN x b ON a.id = b.id",
        "SELECT avg(d), avg(w) FROM x GROUP BY ROLLUP (id < 0) HAVING GROUPING(id < 0) = 1"
      })
  void meansAreExact(String query) throws SQLException {
    assertThat(Sql.rows(connection, query))
        .containsExactly(List.of(mean(small, 2), mean(large, 10)));
  }

  @Test
  void runningMeansAreExact() throws SQLException {
    List<Object> means = new ArrayList<>();
    for (int i = 1; i <= ROWS; i++) {
      means.add(mean(large.subList(0, i), 10));
    }
    assertThat(Sql.column(connection, "SELECT avg(w) OVER (ORDER BY id) FROM x ORDER BY id"))
        .containsExactlyElementsOf(means);
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "f", "w", "id", "CAST(f AS BIGINT)"})
  void variancesLoseNoDigits(String column) throws SQLException {
    List<BigDecimal> numbers =
        Sql.column(connection, "SELECT " + column + " FROM x").stream()
            .map(n -> new BigDecimal(String.valueOf(n)))
            .toList();
    BigDecimal mean = mean(numbers, 30);
    BigDecimal squares =
        numbers.stream().map(n -> n.subtract(mean).pow(2)).reduce(BigDecimal.ZERO, BigDecimal::add);
    double population = squares.doubleValue() / ROWS;
    double sample = squares.doubleValue() / (ROWS - 1);
    List<Double> expected =
        List.of(population, sample, sample, Math.sqrt(population), Math.sqrt(sample));
    String all =
        "VAR_POP(%1$s)%2$s, VAR_SAMP(%1$s)%2$s, VARIANCE(%1$s)%2$s, STDDEV_POP(%1$s)%2$s,"
            + " STDDEV(%1$s)%2$s FROM x";
    for (String query : List.of("SELECT " + all, "SELECT DISTINCT " + all)) {
      String over = query.contains("DISTINCT") ? " OVER ()" : "";
      List<?> row = Sql.rows(connection, query.formatted(column, over)).get(0);
      for (int i = 0; i < expected.size(); i++) {
        assertThat((Double) row.get(i))
            .as(query)
            .isCloseTo(expected.get(i), within(expected.get(i) * 1e-9));
      }
    }
  }

  @Test
  void variancesOfFewRows() throws SQLException {
    assertThat(Sql.rows(connection, "SELECT VAR_POP(d), VAR_SAMP(d) FROM x WHERE id = 1"))
        .containsExactly(Arrays.asList(0.0, null));
    assertThat(Sql.rows(connection, "SELECT VAR_POP(d), STDDEV_POP(f) FROM x WHERE id < 0"))
        .containsExactly(Arrays.asList(null, null));
    assertThat(
            Sql.rows(
                connection,
                "SELECT COVAR_POP(a, b), COVAR_SAMP(a, b) FROM (VALUES (1, 2), (2, 4)) AS v (a, b)"))
        .containsExactly(List.of(0.5, 1.0));
  }

  /** SQL has a grand total of no rows, too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT g, count(*), sum(d), GROUPING(g) FROM x WHERE %s GROUP BY ROLLUP (g)",
        "SELECT g, count(*), sum(d), GROUPING(g) FROM x WHERE %s GROUP BY GROUPING SETS ((g), ())",
        "SELECT g, count(DISTINCT id), max(d), GROUPING(g) FROM x WHERE %s GROUP BY CUBE (g)"
      })
  void noRowsHaveATotal(String query) throws SQLException {
    for (String nothing : List.of("FALSE", "id = -1", "f < 0")) {
      assertThat(Sql.rows(connection, query.formatted(nothing)))
          .containsExactly(Arrays.asList(null, 0L, null, 1L));
    }
    assertThat(Sql.rows(connection, query.formatted("TRUE"))).hasSize(7);
  }

  @Test
  void groupsWithoutATotalHaveNoneOfNoRows() throws SQLException {
    assertThat(
            Sql.rows(
                connection,
                "SELECT count(*) FROM x WHERE id = -1 GROUP BY GROUPING SETS ((g), (id))"))
        .isEmpty();
    assertThat(
            Sql.rows(
                connection,
                "SELECT count(*) FROM x WHERE id = -1 GROUP BY ROLLUP (g) HAVING count(*) > 0"))
        .isEmpty();
  }

  /** The default stands for a row that is not there, and not for a NULL that is. */
  @Test
  void neighboursHaveDefaults() throws SQLException {
    String query =
        "SELECT lag(g, 1, 0) OVER w, lead(g, 2, -1) OVER w, lag(d, 1, 0) OVER w,"
            + " lag(g, 1, NULL) OVER w FROM x WHERE id < 4 WINDOW w AS (ORDER BY id) ORDER BY id";
    List<BigDecimal> d = small.subList(0, 4);
    assertThat(Sql.rows(connection, query))
        .containsExactly(
            Arrays.asList(0, 2, new BigDecimal("0.00"), null),
            Arrays.asList(null, null, d.get(0), null),
            Arrays.asList(1, -1, d.get(1), 1),
            Arrays.asList(2, -1, d.get(2), 2));
  }
}
