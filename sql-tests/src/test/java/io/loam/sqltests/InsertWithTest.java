package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** INSERT and UPSERT of a query with WITH write what they do of the same subquery. */
class InsertWithTest {
  private static final List<String> TYPES =
      List.of(
          "BIGINT",
          "INTEGER",
          "SMALLINT",
          "REAL",
          "DOUBLE",
          "DECIMAL(10,2)",
          "BOOLEAN",
          "DATE",
          "TIMESTAMP",
          "UUID",
          "VARCHAR",
          "VARCHAR(3)",
          "VARCHAR ARRAY",
          "TEXT",
          "JSON",
          "VECTOR(2)",
          "SPARSEVECTOR");

  /** Of all types, some of which a column takes, after a conversion or as they are. */
  private static final List<String> VALUES =
      List.of(
          "42",
          "1.5",
          "TRUE",
          "DATE '2020-01-02'",
          "TIMESTAMP '2020-01-02 03:04:05.123456'",
          "'7'",
          "'2020-01-02'",
          "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'",
          "'[1,2]'",
          "'{\"1\":2}'",
          "ARRAY['a']",
          "CAST(NULL AS INTEGER)");

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void create() throws SQLException {
    connection = Sql.connect(folder);
    for (String type : TYPES) {
      Sql.run(
          connection,
          "CREATE TABLE "
              + table(type)
              + " (id BIGINT PRIMARY KEY, c "
              + type
              + ", r "
              + type
              + " NOT NULL)");
    }
    Sql.run(
        connection,
        "CREATE TABLE w (id BIGINT PRIMARY KEY, n BIGINT, d DOUBLE, k DECIMAL(10,2), s VARCHAR,"
            + " m BIGINT NOT NULL)");
    Sql.run(connection, "CREATE TABLE v (id INTEGER NOT NULL, n INTEGER, s VARCHAR)");
    Sql.run(connection, "INSERT INTO v VALUES (1, 10, 'a'), (2, NULL, NULL), (3, 30, '')");
    connection.setAutoCommit(false);
  }

  @AfterEach
  void undo() throws SQLException {
    connection.rollback();
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  static Stream<String> types() {
    return TYPES.stream();
  }

  @ParameterizedTest
  @MethodSource("types")
  void columnsOfEachTypeAreConverted(String type) throws SQLException {
    int written = 0;
    String table = table(type);
    for (String value : VALUES) {
      String source = "SELECT 1, " + value + ", " + value;
      String expected =
          outcome("INSERT INTO " + table + " SELECT * FROM (" + source + ") q(a, b, c)", table);
      String given =
          "INSERT INTO " + table + " WITH q(a, b, c) AS (" + source + ") SELECT * FROM q";
      assertThat(outcome(given, table)).as(value).isEqualTo(expected);
      written += expected.startsWith("[") ? 1 : 0;
    }
    assertThat(written).isPositive();
  }

  /** The letter in braces is the source, under that alias. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, id, id, id, s, id FROM {q}",
        "SELECT * FROM (SELECT id, n, n AS n2, n AS n3, s, id AS i2 FROM {q})",
        "SELECT id, n, n, n, s, id FROM {q} ORDER BY s DESC LIMIT 2",
        "SELECT id, n, 1.5, 2.5, s, 7 FROM {q} UNION ALL SELECT id + 10, 1, n, 2, 'u', id FROM {q}",
        "SELECT id, 1, n, n, s, 7 FROM {q} UNION SELECT id + 20, 2.0, 3, 4, 'u', 5.0 FROM {q}",
        "SELECT id, n, n, n, s, 1 FROM {q} EXCEPT SELECT id, 10, 10, 10, 'a', 1 FROM {q}",
        "SELECT id, n, n, n, s, 1 FROM {q} INTERSECT SELECT id, 10, 10, 10, 'a', 1 FROM {q}",
        "SELECT count(*), count(*), max(n), sum(n), min(s), max(id) FROM {q}",
        "SELECT a.id, b.n, b.id, a.n, b.s, a.id FROM {a} LEFT JOIN {b} ON a.id = b.id + 1",
        "SELECT id, CASE WHEN n > 10 THEN 1 ELSE NULL END, n, n, s, COALESCE(n, 1) FROM {q}",
        "SELECT id, 1, 2, 3, 'x', 4 FROM {q} UNION ALL"
            + " (WITH z AS (SELECT 9 AS i) SELECT i, i, i, i, 'y', i FROM z)",
        "SELECT id, (SELECT max(id) FROM {b}), n, n, s, id FROM {q}",
        "VALUES (1, 2, 3, 4, 'x', 5), (2, NULL, NULL, NULL, NULL, 6)"
      })
  void queriesOfEachShapeAre(String query) throws SQLException {
    String source = "SELECT id, n, s FROM v";
    String subqueries = query.replaceAll("\\{(\\w)}", "(" + source + ") $1");
    String names = query.replaceAll("\\{(\\w)}", "r $1");
    for (String verb : List.of("INSERT", "UPSERT")) {
      String into = verb + " INTO w (id, n, d, k, s, m) ";
      String expected = outcome(into + subqueries, "w");
      assertThat(expected).startsWith("[");
      assertThat(outcome(into + "WITH r AS (" + source + ") " + names, "w")).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < 3)"
            + " SELECT n, n, n, n, 'x', n FROM r",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r WHERE n < 3)"
            + " SELECT a.n, b.n, b.n, b.n, 'x', a.n FROM r a JOIN r b ON a.n = b.n",
        "SELECT * FROM (WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r"
            + " WHERE n < 3) SELECT n, n AS a, n AS b, n AS c, 'x' AS d, n AS e FROM r)"
      })
  void recursionsAre(String query) throws SQLException {
    assertThat(outcome("INSERT INTO w (id, n, d, k, s, m) " + query, "w"))
        .isEqualTo(
            outcome(
                "INSERT INTO w (id, n, d, k, s, m) VALUES (1, 1, 1, 1, 'x', 1),"
                    + " (2, 2, 2, 2, 'x', 2), (3, 3, 3, 3, 'x', 3)",
                "w"));
  }

  /** The table's rows once a statement has run, or its SQLSTATE. */
  private static String outcome(String statement, String table) throws SQLException {
    try {
      Sql.run(connection, statement);
      return Sql.rows(connection, "SELECT * FROM " + table + " ORDER BY id").toString();
    } catch (SQLException e) {
      return e.getSQLState();
    } finally {
      connection.rollback();
    }
  }

  private static String table(String type) {
    return "t_" + type.replaceAll("\\W+", "_");
  }
}
