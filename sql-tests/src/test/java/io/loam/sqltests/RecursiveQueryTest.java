package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WITH RECURSIVE gives what a loop gives, or says which type does not hold its values. */
class RecursiveQueryTest {
  private static final int ROUNDS = 12;

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, short VARCHAR(2), parent BIGINT)");
    Sql.run(connection, "INSERT INTO t VALUES (1, 'a', NULL), (2, 'b', 1), (3, 'c', 2)");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  /** First parts that give ('a', 1), each of another form or type. */
  static Stream<String> firstParts() {
    return Stream.of(
        "SELECT 'a', 1",
        "SELECT CAST('a' AS CHAR(1)), 1",
        "SELECT CAST('a' AS VARCHAR(3)), 1",
        "SELECT CAST('a' AS VARCHAR), 1",
        "SELECT 'a' || '', 1",
        "SELECT short, 1 FROM t WHERE id = 1",
        "SELECT * FROM (VALUES ('a', 1)) AS v",
        "VALUES ('a', 1)",
        "SELECT 'a', 1 UNION SELECT 'a', 1");
  }

  @ParameterizedTest
  @MethodSource("firstParts")
  void textsGrow(String first) throws SQLException {
    String sql =
        "WITH RECURSIVE r (x, n) AS (%s UNION ALL SELECT x || 'bc', n + 1 FROM r WHERE n < %d)"
            + " SELECT x FROM r";
    assertThat(Sql.column(connection, sql.formatted(first, ROUNDS)))
        .containsExactlyElementsOf(
            IntStream.range(0, ROUNDS).mapToObj(n -> "a" + "bc".repeat(n)).toList());
  }

  @Test
  void pathsAreWhole() throws SQLException {
    assertThat(
            Sql.column(
                connection,
                "WITH RECURSIVE r (id, path) AS (SELECT id, short FROM t WHERE parent IS NULL"
                    + " UNION ALL SELECT t.id, r.path || '/' || t.short FROM r JOIN t"
                    + " ON t.parent = r.id) SELECT path FROM r ORDER BY id"))
        .containsExactly("a", "a/b", "a/b/c");
  }

  @Test
  void decimalsKeepTheDigitsThatTheFirstPartHas() throws SQLException {
    BigDecimal sum = new BigDecimal("1.50");
    List<@Nullable Object> sums = new ArrayList<>();
    for (int n = 1; n <= ROUNDS; n++) {
      sums.add(sum);
      sum = sum.add(new BigDecimal("99999.75"));
    }
    String sql =
        "WITH RECURSIVE r (x, n) AS (SELECT CAST(1.5 AS DECIMAL(38, 2)), 1 UNION ALL"
            + " SELECT x + 99999.75, n + 1 FROM r WHERE n < %d) SELECT x FROM r";
    assertThat(Sql.column(connection, sql.formatted(ROUNDS))).isEqualTo(sums);
  }

  @Test
  void numbersWithoutDigitsWiden() throws SQLException {
    assertThat(
            Sql.column(
                connection,
                "WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 5e-1 FROM r WHERE x < 2)"
                    + " SELECT x FROM r"))
        .containsExactly(1.0, 1.5, 2.0);
    assertThat(
            Sql.column(
                connection,
                "WITH RECURSIVE r (x) AS (SELECT 2000000000 UNION ALL SELECT x + t.id * 2000000000"
                    + " FROM r JOIN t ON t.id = 1 WHERE x < 6000000000) SELECT x FROM r"))
        .containsExactly(2_000_000_000L, 4_000_000_000L, 6_000_000_000L);
  }

  static Stream<Arguments> growing() {
    return Stream.of(
        Arguments.of("SELECT 1.5", "x * 1.25", "first=DECIMAL(2, 1), all=DECIMAL(5, 3)"),
        Arguments.of("SELECT 9.5", "x + 0.5", "first=DECIMAL(2, 1), all=DECIMAL(3, 1)"),
        Arguments.of("SELECT 1", "x * 1.25", "first=INTEGER, all=DECIMAL"),
        Arguments.of("SELECT 1", "'a'", "first=INTEGER, all=VARCHAR"),
        Arguments.of("SELECT NULL", "COALESCE(x, '') || 'b'", "first=NULL, all="),
        Arguments.of("SELECT ARRAY['a']", "ARRAY[x[1] || 'b']", "first=CHAR(1) ARRAY, all="));
  }

  @ParameterizedTest
  @MethodSource("growing")
  void typesThatGrowAreRefused(String first, String next, String says) {
    String sql =
        "WITH RECURSIVE r (n, x) AS (%s UNION ALL SELECT n + 1, %s FROM r WHERE n < 5)"
            + " SELECT * FROM r";
    SQLException error =
        catchThrowableOfType(
            SQLException.class,
            () -> Sql.run(connection, sql.formatted(first.replace("SELECT ", "SELECT 1, "), next)));
    assertThat(error.getMessage()).contains("query=r, column=x, " + says);
    assertThat(error.getMessage()).contains("CAST it in the first part");
    assertThat(error.getSQLState()).isEqualTo("42804");
  }

  @Test
  void namesMatchInAnyLetterCase() throws SQLException {
    assertThat(
            Sql.column(
                connection,
                "WITH RECURSIVE Numbers (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM NUMBERS"
                    + " WHERE x < 3) SELECT sum(numbers.x) FROM numbers"))
        .containsExactly(6L);
    assertThat(
            Sql.column(
                connection,
                "WITH A AS (SELECT 1 AS x), B AS (SELECT x + 1 AS x FROM a)"
                    + " SELECT a.x + b.x FROM (SELECT * FROM a) AS a JOIN b ON a.x < b.x"))
        .containsExactly(3);
    assertThat(
            Sql.column(
                connection,
                "WITH a AS (SELECT 1 AS x)"
                    + " SELECT x FROM (WITH A AS (SELECT 2 AS x) SELECT x FROM a) AS q"))
        .containsExactly(2);
  }

  @Test
  void twoQueriesOfOneNameAreRefused() {
    SQLException error =
        catchThrowableOfType(
            SQLException.class,
            () -> Sql.run(connection, "WITH a AS (SELECT 1), A AS (SELECT 2) SELECT * FROM a"));
    assertThat(error.getMessage()).contains("name=A, line=1, column=23");
    assertThat(error.getSQLState()).isEqualTo("42601");
  }

  @Test
  void unionsThatDoNotReadThemselvesMayWiden() throws SQLException {
    assertThat(
            Sql.column(
                connection,
                "WITH RECURSIVE a (a) AS (SELECT 1.5 UNION ALL SELECT 2.25) SELECT a FROM a"))
        .containsExactly(new BigDecimal("1.50"), new BigDecimal("2.25"));
  }

  /** Other parts that do more than to filter and join, with what a loop over their rounds gives. */
  static Stream<Arguments> otherParts() {
    return Stream.of(
        Arguments.of("UNION ALL SELECT max(n) + 1 FROM r HAVING max(n) < 3", List.of(1, 2, 3)),
        Arguments.of(
            "UNION ALL SELECT m + 1 FROM (SELECT max(n) AS m FROM r) AS q WHERE m < 3",
            List.of(1, 2, 3)),
        Arguments.of("UNION ALL SELECT DISTINCT n + 1 FROM r WHERE n < 3", List.of(1, 2, 3)),
        Arguments.of("UNION SELECT DISTINCT n + 1 FROM r WHERE n < 3", List.of(1, 2, 3)),
        Arguments.of(
            "UNION ALL SELECT n + 1 FROM (SELECT n FROM r GROUP BY n) AS q WHERE n < 3",
            List.of(1, 2, 3)),
        Arguments.of(
            "UNION ALL (SELECT n + m FROM r, (VALUES (2), (1)) AS v (m) WHERE n < 3"
                + " ORDER BY n + m LIMIT 1)",
            List.of(1, 2, 3)),
        Arguments.of(
            "UNION ALL SELECT n + CAST(count(*) OVER () AS INTEGER)"
                + " FROM r, (VALUES (0), (0)) AS v (m) WHERE n < 4",
            List.of(1, 3, 3, 7, 7, 7, 7)),
        Arguments.of(
            "UNION ALL SELECT n + 1 FROM r WHERE n < (SELECT count(*) FROM t)", List.of(1, 2, 3)),
        Arguments.of(
            "UNION ALL SELECT n + 1 FROM r WHERE n < 9 AND EXISTS"
                + " (SELECT 1 FROM t WHERE t.id = r.n)",
            List.of(1, 2, 3, 4)),
        Arguments.of(
            "UNION ALL SELECT n + 1 FROM r WHERE n NOT IN (SELECT id FROM t WHERE id > 2)",
            List.of(1, 2, 3)),
        Arguments.of(
            "UNION ALL (SELECT n + 1 FROM r INTERSECT VALUES (2), (3), (5))", List.of(1, 2, 3)),
        Arguments.of("UNION ALL (SELECT n + 1 FROM r EXCEPT VALUES (4), (5))", List.of(1, 2, 3)),
        Arguments.of(
            "UNION ALL (SELECT n + 1 FROM r WHERE n < 3 UNION SELECT n + 1 FROM r WHERE n < 3)",
            List.of(1, 2, 3)),
        Arguments.of("UNION SELECT MOD(n * 2, 7) FROM r", List.of(1, 2, 4)),
        Arguments.of(
            "UNION SELECT n + CAST(count(*) AS INTEGER) FROM r WHERE n < 3 GROUP BY n",
            List.of(1, 2, 3)));
  }

  @ParameterizedTest
  @MethodSource("otherParts")
  void eachRoundReadsTheOneBefore(String other, List<Object> rows) throws SQLException {
    assertThat(
            Sql.column(
                connection, "WITH RECURSIVE r (n) AS (SELECT 1 " + other + ") SELECT n FROM r"))
        .isEqualTo(rows);
  }

  @Test
  void readingItselfInConditionsOnlyIsRefused() {
    SQLException error =
        catchThrowableOfType(
            SQLException.class,
            () ->
                Sql.run(
                    connection,
                    "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT CAST(id AS INTEGER) FROM t"
                        + " WHERE id IN (SELECT n + 1 FROM r)) SELECT n FROM r"));
    assertThat(error.getMessage()).contains("query=r; name it in FROM");
    assertThat(error.getSQLState()).isEqualTo("0A000");
  }

  @Test
  void queriesOfOneNameDoNotMeetInOneStatement() throws SQLException {
    String inner =
        "(WITH RECURSIVE r (n) AS (SELECT %s UNION ALL SELECT n + 1 FROM r WHERE n < 4)"
            + " SELECT %s FROM r)";
    assertThat(
            Sql.column(
                connection,
                "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT r.n + q.n FROM r, "
                    + inner.formatted("1", "max(n) AS n")
                    + " AS q WHERE r.n < 9) SELECT n FROM r"))
        .containsExactly(1, 5, 9);
    assertThat(
            Sql.column(
                connection,
                "SELECT a.n * 10 + b.n FROM "
                    + inner.formatted("3", "n")
                    + " AS a JOIN "
                    + inner.formatted("2", "n")
                    + " AS b ON a.n <= b.n ORDER BY 1"))
        .containsExactly(33, 34, 44);
    assertThat(
            Sql.column(
                connection,
                "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3)"
                    + " SELECT a.n * 10 + b.n FROM r AS a JOIN r AS b ON a.n < b.n ORDER BY 1"))
        .containsExactly(12, 13, 23);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void queriesAtTheSameTimeDoNotMeet(boolean oneConnection) throws Exception {
    int threads = 6;
    List<Callable<List<@Nullable Object>>> queries = new ArrayList<>();
    List<List<@Nullable Object>> expected = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int start = i * 100_000;
      queries.add(() -> sums(oneConnection ? connection : Sql.connect(folder), start));
      expected.add(Collections.nCopies(ROUNDS, 201L * start + 20_100));
    }
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<List<@Nullable Object>> given = new ArrayList<>();
      for (Future<List<@Nullable Object>> sums : executor.invokeAll(queries)) {
        given.add(sums.get());
      }
      assertThat(given).isEqualTo(expected);
    } finally {
      executor.shutdownNow();
    }
  }

  /** The same prepared text in all threads, so that they share one plan, and one of each thread. */
  private static List<@Nullable Object> sums(Connection to, int start) throws SQLException {
    String sql =
        "WITH RECURSIVE r (n) AS (SELECT %s UNION ALL SELECT n + 1 FROM r WHERE n < %s)"
            + " SELECT sum(n) FROM r";
    List<@Nullable Object> sums = new ArrayList<>();
    try (PreparedStatement shared =
        to.prepareStatement(sql.formatted("CAST(? AS INTEGER)", "CAST(? AS INTEGER)"))) {
      shared.setInt(1, start);
      shared.setInt(2, start + 200);
      for (int i = 0; i < ROUNDS; i += 2) {
        sums.addAll(Sql.column(to, sql.formatted(start, start + 200)));
        try (ResultSet rows = shared.executeQuery()) {
          rows.next();
          sums.add(rows.getLong(1));
        }
      }
    } finally {
      if (to != connection) {
        to.close();
      }
    }
    return sums;
  }

  /** Rounds that grow end before the heap does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 UNION ALL SELECT n + d FROM r, (VALUES (1), (2), (3), (4), (5), (6), (7)) z(d)",
        "SELECT 1 UNION SELECT n + 1 FROM r"
      })
  @Tag("long")
  void tooManyRowsAreRefused(String union) {
    String query = "WITH RECURSIVE r(n) AS (" + union + ") SELECT count(*) FROM r";
    SQLException error = catchThrowableOfType(SQLException.class, () -> Sql.run(connection, query));
    assertThat(error.getMessage()).contains("recursive query has too many rows: in ");
    assertThat(error.getSQLState()).isEqualTo("54000");
  }
}
