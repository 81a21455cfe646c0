package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters whose types follow from where they stand give what the values themselves do. */
class ParameterTypeTest {
  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE p (id BIGINT PRIMARY KEY, s VARCHAR, tags VARCHAR ARRAY, dt DATE)");
    Sql.run(
        connection,
        "INSERT INTO p VALUES (1, 'abc', ARRAY['a', 'b'], DATE '2020-01-31'),"
            + " (2, 'zz', ARRAY['b'], DATE '2021-02-28'), (3, NULL, NULL, NULL)");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  /** An expression, and what all of its parameters are, as literals. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          ? IN ('abc', 'zz') ; 'abcd' ; VARCHAR
          ? IN ('abc', 'zz') ; 'zz' ; VARCHAR
          ? NOT IN ('abc', 'zz') ; 'zz' ; VARCHAR
          ? IN (?, s) ; 'zz' ; VARCHAR
          ? IN (1, 2) ; 2 ; INTEGER
          ? IN (id, 7) ; 2 ; BIGINT
          (?, 1) IN (('abc', id), ('zz', 1)) ; 'zz' ; VARCHAR
          (?, id) NOT IN (('abc', 1)) ; 'abc' ; VARCHAR
          'abc' || ? ; 'defg' ; VARCHAR
          ? || 'abc' ; 'defg' ; VARCHAR
          ? || ? ; 'xy' ; VARCHAR
          s || ? || '-' || ? ; 'xy' ; VARCHAR
          ? = 'a' || ? ; 'xy' ; VARCHAR
          COALESCE(?, 'x') ; 'longer' ; VARCHAR
          COALESCE(s, ?) ; 'longer' ; VARCHAR
          NULLIF(?, 'abc') ; 'abc' ; VARCHAR
          NULLIF(?, 1) ; 1 ; INTEGER
          CASE WHEN id = 1 THEN ? ELSE 'a' END ; 'longer' ; VARCHAR
          CASE WHEN id = 1 THEN 5 ELSE ? END ; 7 ; INTEGER
          CASE id WHEN 1 THEN NULL WHEN 2 THEN ? ELSE s END ; 'longer' ; VARCHAR
          UPPER(?) ; 'aß' ; VARCHAR
          LOWER(TRIM(?)) ; ' Ab ' ; VARCHAR
          INITCAP(?) || s ; 'ab cd' ; VARCHAR
          CHAR_LENGTH(?) ; 'abcd' ; VARCHAR
          TRIM(BOTH ? FROM s) ; 'z' ; VARCHAR
          SUBSTRING(? FROM 2) ; 'abcd' ; VARCHAR
          SUBSTRING(s, ?, ?) ; 2 ; INTEGER
          POSITION(? IN s) ; 'c' ; VARCHAR
          POSITION('b' IN ?) ; 'abc' ; VARCHAR
          OVERLAY(s PLACING ? FROM 1) ; 'XY' ; VARCHAR
          REPLACE(s, 'b', ?) ; 'XY' ; VARCHAR
          ASCII(?) ; 'b' ; VARCHAR
          ABS(?) ; CAST(-1.5 AS DOUBLE) ; DOUBLE
          SQRT(?) ; CAST(2.25 AS DOUBLE) ; DOUBLE
          POWER(?, 2) ; CAST(1.5 AS DOUBLE) ; DOUBLE
          ROUND(?, 1) ; CAST(1.26 AS DOUBLE) ; DOUBLE
          ROUND(CAST(1.234 AS DOUBLE), ?) ; 2 ; INTEGER
          MOD(?, 2) ; 7 ; INTEGER
          FLOOR(?) ; CAST(1.5 AS DOUBLE) ; DOUBLE
          array_contains(tags, ?) ; 'a' ; VARCHAR
          tags[?] ; 1 ; INTEGER
          TIMESTAMPADD(DAY, ?, dt) ; 3 ; INTEGER
          JSON_VALUE(?, '$.a') ; '{"a": 1}' ; VARCHAR
          JSON_VALUE('{"a": 1}', ?) ; '$.a' ; VARCHAR
          (SELECT max(s || ?) FROM p) ; 'x' ; VARCHAR
          sum(id) OVER (ORDER BY UPPER(?), id) ; 'x' ; VARCHAR
          """)
  void parametersAreTheirValues(String expression, String literal, String type)
      throws SQLException {
    Object value = Sql.column(connection, "SELECT " + literal).get(0);
    int count = (int) expression.chars().filter(c -> c == '?').count();
    Object[] values = Collections.nCopies(count, value).toArray();
    String text = "SELECT id, " + expression + " FROM p ORDER BY id";
    assertThat(Sql.rows(connection, text, values))
        .isEqualTo(Sql.rows(connection, text.replace("?", literal)));
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      for (int i = 1; i <= count; i++) {
        assertThat(statement.getParameterMetaData().getParameterTypeName(i)).isEqualTo(type);
      }
    }
  }

  /** A query, and what each of its parameters is, as a literal. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          SELECT id FROM p UNION ALL SELECT ? ; 7 ; BIGINT
          SELECT ? AS x UNION ALL SELECT id FROM p ; 7 ; BIGINT
          SELECT id FROM p UNION SELECT ? UNION SELECT ? ; 1 ; BIGINT
          SELECT id FROM p UNION ALL (SELECT ? UNION ALL SELECT NULL) ; 7 ; BIGINT
          SELECT s FROM p EXCEPT SELECT ? ; 'abc' ; VARCHAR
          SELECT dt FROM p INTERSECT SELECT ? ; DATE '2020-01-31' ; DATE
          SELECT dt FROM p UNION ALL SELECT ? UNION ALL SELECT TIMESTAMP '2020-01-31 00:00:01' ; TIMESTAMP '2020-01-31 00:00:02' ; TIMESTAMP
          SELECT 1.50 UNION SELECT ? ; 1.5 ; DECIMAL
          SELECT k FROM (VALUES (2.25), (?)) AS v (k) GROUP BY k ; 2.250 ; DECIMAL
          VALUES (1, ?), (2, 'a') ; 'longer' ; VARCHAR
          SELECT id + ?, s FROM p UNION ALL SELECT ?, NULL ; 7 ; BIGINT
          SELECT id FROM p WHERE id IN (SELECT ? UNION ALL SELECT 7) ; 2 ; INTEGER
          SELECT id FROM p WHERE (id, s) IN (VALUES (?, 'zz'), (2, 'zz')) ; 3 ; BIGINT
          SELECT x FROM (SELECT ? AS x UNION ALL SELECT id FROM p) AS q WHERE x > 2 ; 7 ; BIGINT
          WITH q AS (SELECT id FROM p UNION ALL SELECT ?) SELECT max(id) FROM q ; 7 ; BIGINT
          """)
  void parametersInColumnsAreTheirValues(String query, String literal, String type)
      throws SQLException {
    Object value = Sql.column(connection, "SELECT " + literal).get(0);
    int count = (int) query.chars().filter(c -> c == '?').count();
    assertThat(numbers(Sql.rows(connection, query, Collections.nCopies(count, value).toArray())))
        .containsExactlyInAnyOrderElementsOf(
            numbers(Sql.rows(connection, query.replace("?", literal))));
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 1; i <= count; i++) {
        assertThat(statement.getParameterMetaData().getParameterTypeName(i)).isEqualTo(type);
      }
    }
  }

  /** Rows whose decimals have no zeros at their ends. */
  private static List<List<@Nullable Object>> numbers(List<List<@Nullable Object>> rows) {
    return rows.stream()
        .map(
            row ->
                row.stream()
                    .<@Nullable Object>map(
                        v -> v instanceof BigDecimal number ? number.stripTrailingZeros() : v)
                    .toList())
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT ?",
        "SELECT ? + ?",
        "SELECT id FROM p WHERE ? = ?",
        "SELECT ? UNION SELECT ?",
        "VALUES (?, 1), (?, 2)"
      })
  void whereNothingTellsTheTypeACastIsAskedFor(String query) {
    assertThatThrownBy(() -> Sql.rows(connection, query, 1, 1))
        .hasMessageContaining("write CAST(? AS VARCHAR)");
  }
}
