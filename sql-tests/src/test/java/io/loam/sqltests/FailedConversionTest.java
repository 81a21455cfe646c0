package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of values that cannot be converted: which value, type, column and row. */
class FailedConversionTest {
  private static final String COLUMNS =
      "n INTEGER, l BIGINT, d DOUBLE, r REAL, k DECIMAL(5,2), b BOOLEAN, dt DATE, ts TIMESTAMP,"
          + " u UUID, v VECTOR(2), sp SPARSEVECTOR";

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void create() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE c (id BIGINT PRIMARY KEY, " + COLUMNS + ")");
    Sql.run(connection, "CREATE TABLE s (id BIGINT PRIMARY KEY, good VARCHAR, bad VARCHAR)");
    Sql.run(connection, "INSERT INTO c (id, n) VALUES (1, 1)");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  /** The second of two rows has the bad value, which each way of writing it tells alike. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          n ; INTEGER ; 12 ; abc ; 22P02
          n ; INTEGER ; 12 ; 3000000000 ; 22003
          l ; BIGINT ; 12 ; 12e ; 22P02
          l ; BIGINT ; 12 ; 9223372036854775808 ; 22003
          d ; DOUBLE ; 1.5 ; 1.5.1 ; 22P02
          d ; DOUBLE ; 1.5 ; 1e999 ; 22003
          r ; REAL ; 1.5 ; abc ; 22P02
          r ; REAL ; 1.5 ; 1e39 ; 22003
          k ; DECIMAL(5,2) ; 1.5 ; abc ; 22P02
          k ; DECIMAL(5,2) ; 1.5 ; 1234.5 ; 22003
          k ; DECIMAL(5,2) ; 1.5 ; 1e999999999 ; 22003
          b ; BOOLEAN ; true ; abc ; 22P02
          dt ; DATE ; 2020-01-02 ; abc ; 22P02
          dt ; DATE ; 2020-01-02 ; 2020-02-30 ; 22P02
          ts ; TIMESTAMP ; 2020-01-02 03:04:05 ; abc ; 22P02
          ts ; TIMESTAMP ; 2020-01-02 ; 2020-01-02 25:00:00 ; 22P02
          u ; UUID ; 6ba7b810-9dad-11d1-80b4-00c04fd430c8 ; abc ; 22P02
          """)
  void columnAndRowAreNamed(String column, String type, String good, String bad, String state)
      throws SQLException {
    String values = "column=" + column + ", type=" + type + ", value=" + bad + "; give ";
    String list = " c (id, " + column + ") ";
    String rows = "(VALUES (10, '%s'), (11, '%s')) z(i, t)".formatted(good, bad);
    Sql.run(connection, "UPSERT INTO s VALUES (1, '" + good + "', '" + bad + "')");
    for (String verb : List.of("INSERT INTO", "UPSERT INTO")) {
      fails(
          verb + list + "VALUES (10, '%s'), (11, '%s')".formatted(good, bad),
          state,
          "row=2, " + values);
      fails(verb + list + "SELECT i, t FROM " + rows, state, "row=2, " + values);
      fails(verb + list + "SELECT id, bad FROM s", state, "row=1, " + values);
      fails(
          verb + list + "WITH q AS (SELECT id, bad FROM s) SELECT * FROM q",
          state,
          "row=1, " + values);
      fails(verb + list + "VALUES (10, '" + bad + "')", state, ": " + values);
    }
    fails("UPDATE c SET " + column + " = '" + bad + "'", state, ": " + values);
    fails("UPDATE c SET " + column + " = (SELECT bad FROM s)", state, ": " + values);
    fails(
        "MERGE INTO c USING "
            + rows
            + " ON c.id = i WHEN NOT MATCHED THEN INSERT (id, "
            + column
            + ") VALUES (i, t)",
        state,
        "row=2, " + values);
    fails(
        "MERGE INTO c USING s ON c.id = s.id WHEN MATCHED THEN UPDATE SET " + column + " = bad",
        state,
        "row=1, " + values);
    fails("SELECT CAST(bad AS " + type + ") FROM s", state, "value=" + bad);
    fails("SELECT CAST('" + bad + "' AS " + type + ")", state, "value=" + bad);
    assertThat(Sql.rows(connection, "SELECT id FROM c")).isEqualTo(List.of(List.of(1L)));
  }

  /** Texts are refused when they are bound; numbers that are too large, when they are written. */
  @Test
  void rowsOfABatchAreNumbered() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO c (id, k) VALUES (?, ?)")) {
      for (String number : List.of("12.5", "1234.5")) {
        insert.setLong(1, number.length());
        insert.setBigDecimal(2, new BigDecimal(number));
        insert.addBatch();
      }
      assertThatThrownBy(insert::executeBatch)
          .isInstanceOf(BatchUpdateException.class)
          .hasMessageContaining("row=2, column=k, type=DECIMAL(5,2), value=1234.5; give ");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          v ; '[1,x]' ; 22P02 ; column=v, value=[1,x]
          v ; '[1,2,3]' ; 22023 ; column=v, given=3
          sp ; '{1' ; 22P02 ; column=sp, value={1
          n ; 3000000000 ; 22003 ; column=n, type=INTEGER, value=3000000000
          k ; 123456.5 ; 22003 ; column=k, type=DECIMAL(5,2), value=123456.5
          n ; 1e300 ; 22003 ; column=n, type=INTEGER
          r ; 1e300 ; 22003 ; column=r, type=REAL
          """)
  void numbersAndVectorsAre(String column, String value, String state, String expected) {
    String list = "INSERT INTO c (id, " + column + ") ";
    fails(list + "VALUES (10, " + value + ")", state, ": " + expected);
    fails(list + "SELECT 10, " + value, state, expected);
  }

  /** Fractions of literals and computed values are rounded, those of parameters refused. */
  @Test
  void fractionsAreRounded() throws SQLException {
    Sql.run(connection, "CREATE TABLE f (id BIGINT PRIMARY KEY, n INTEGER, k DECIMAL(5,2))");
    Sql.run(connection, "INSERT INTO f VALUES (1, 1.5, 1.005), (2, -1.5, -1.005), (3, 2.4e0, 1)");
    Sql.run(connection, "INSERT INTO f SELECT id + 10, n + 0.5, k / 2 FROM f");
    Sql.run(connection, "INSERT INTO f VALUES (4.4, 9.9, 1e-999999999)");
    assertThat(Sql.rows(connection, "SELECT id, n, k FROM f ORDER BY id"))
        .isEqualTo(
            List.of(
                List.of(1L, 2, new BigDecimal("1.01")),
                List.of(2L, -2, new BigDecimal("-1.01")),
                List.of(3L, 2, new BigDecimal("1.00")),
                List.of(4L, 10, new BigDecimal("0.00")),
                List.of(11L, 3, new BigDecimal("0.51")),
                List.of(12L, -2, new BigDecimal("-0.51")),
                List.of(13L, 3, new BigDecimal("0.50"))));
    assertThatThrownBy(() -> Sql.update(connection, "INSERT INTO f (id, n) VALUES (?, ?)", 20, 1.5))
        .hasMessageContaining("value=1.5, type=INTEGER");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          SELECT sum(bad) FROM s ; value=abc, type=DECIMAL(38,19)
          SELECT avg(bad) FROM s ; value=abc, type=DECIMAL(38,19)
          SELECT bad + 1 FROM s ; value=abc, type=INTEGER
          SELECT id FROM c WHERE k + 1 > 'abc' ; value=abc, type=DECIMAL
          SELECT id FROM s WHERE id > bad ; value=abc, type=BIGINT
          SELECT CAST(bad AS SMALLINT) FROM s ; value=abc, type=SMALLINT
          SELECT CAST(bad AS TINYINT) FROM s ; value=abc, type=TINYINT
          SELECT CAST(bad AS TIME) FROM s ; value=abc
          """)
  void expressionsNameValueAndType(String query, String expected) throws SQLException {
    Sql.run(connection, "UPSERT INTO s VALUES (1, '1', 'abc')");
    fails(query, "22P02", expected);
  }

  /** Whether a table has rows or not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          SELECT id FROM %s WHERE id = 'abc' ; value=abc, type=BIGINT, line=1, column=29; give
          SELECT id FROM %s WHERE 'abc' < n ; value=abc, type=INTEGER, line=1, column=24; give
          SELECT id FROM %s WHERE dt <> 'abc' ; value=abc, type=DATE, line=1, column=
          SELECT id FROM %s WHERE NOT ts <= 'abc' ; value=abc, type=TIMESTAMP, line=1, column=34
          SELECT id FROM %s WHERE u = 'abc' ; value=abc, type=UUID, line=1, column=28; give
          SELECT id FROM %s WHERE b = 'abc' ; a BOOLEAN: value=abc, line=1, column=28; write
          SELECT id FROM %s WHERE k > 'abc' ; value=abc, type=DECIMAL(38,19), line=1, column=28
          SELECT id FROM %s WHERE d > '1.5.1' ; value=1.5.1, type=DOUBLE, line=1, column=28
          SELECT id FROM %s WHERE r > 'abc' ; value=abc, type=REAL, line=1, column=28
          SELECT id FROM %s WHERE id IN (1, 'abc') ; value=abc, type=BIGINT, line=1, column=34
          SELECT id FROM %s WHERE id NOT IN ('1', 'abc') ; value=abc, type=BIGINT, line=1, column=40
          SELECT id FROM %s WHERE 'abc' IN (id, 2) ; value=abc, type=BIGINT, line=1, column=24
          SELECT id FROM %s WHERE (id, dt) IN ((1, 'abc')) ; value=abc, type=DATE, line=1, column=
          SELECT id FROM %s WHERE (id, n) IN (VALUES (1, 'abc')) ; value=abc, type=INTEGER, line=1, col
          SELECT id FROM %s WHERE id = (VALUES 'abc') ; value=abc, type=BIGINT, line=1, column=37
          SELECT id FROM %s WHERE dt BETWEEN 'abc' AND '2020-01-01' ; value=abc, type=DATE, line=1
          SELECT n FROM %s GROUP BY n HAVING max(id) = 'abc' ; value=abc, type=BIGINT, line=1, column=45
          SELECT CASE WHEN id = 'abc' THEN 1 END FROM %s ; value=abc, type=BIGINT, line=1, column=23
          SELECT CASE id WHEN 'abc' THEN 1 END FROM %s ; value=abc, type=BIGINT, line=1, column=21
          SELECT s.id FROM s JOIN %s e ON s.id = e.id AND e.n = 'abc' ; value=abc, type=INTEGER, line=1
          UPDATE %s SET n = 1 WHERE id = 'abc' ; value=abc, type=BIGINT, line=1, column=31
          DELETE FROM %s WHERE dt < 'abc' ; value=abc, type=DATE, line=1, column=26
          MERGE INTO %s e USING s ON e.dt = 'abc' WHEN MATCHED THEN DELETE ; value=abc, type=DATE, line
          """)
  void literalsOfConditionsAreReadWhenPlanned(String statement, String expected)
      throws SQLException {
    Sql.run(connection, "CREATE TABLE IF NOT EXISTS e (id BIGINT PRIMARY KEY, " + COLUMNS + ")");
    fails(statement.formatted("e"), "22P02", expected);
    fails(statement.formatted("c"), "22P02", expected);
  }

  @Test
  void longListsOfLiteralsAreReadWhenPlanned() throws SQLException {
    Sql.run(connection, "CREATE TABLE IF NOT EXISTS e (id BIGINT PRIMARY KEY, " + COLUMNS + ")");
    String list = " IN (" + "1, ".repeat(30) + "'abc')";
    fails("SELECT id FROM e WHERE id" + list, "22P02", "value=abc, type=BIGINT, line=1, column=");
    fails("SELECT id FROM e WHERE k" + list, "22P02", "value=abc, type=DECIMAL(38,19), line=1");
  }

  /** Texts of a list are compared as values of what is looked for, with all of their digits. */
  @Test
  void textsOfListsAreValues() throws SQLException {
    Sql.run(connection, "CREATE TABLE p (id BIGINT PRIMARY KEY, k DECIMAL(5,2), dt DATE)");
    Sql.run(connection, "INSERT INTO p VALUES (1, 3.10, DATE '2020-01-01'), (2, 3.12, NULL)");
    String others = "'3.123'" + ", 7".repeat(30);
    for (String condition :
        List.of(
            "k IN (3.1, '3.123')",
            "id IN (5, '01')",
            "'01' IN (id, 7)",
            "(id, dt) IN ((1, '2020-01-01'), (2, '2020-01-01'))",
            "dt IN (DATE '2021-01-01', '2020-01-01')",
            "k + 0 IN ('3.10', " + others + ")",
            "k IN ('3.10', " + others + ")")) {
      assertThat(Sql.column(connection, "SELECT id FROM p WHERE " + condition))
          .as(condition)
          .isEqualTo(List.of(1L));
    }
  }

  private static void fails(String statement, String state, String expected) {
    assertThatThrownBy(() -> Sql.run(connection, statement))
        .as(statement)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(expected)
        .message()
        .doesNotContain("statement failed", "For input string", "java.");
    assertThatThrownBy(() -> Sql.run(connection, statement))
        .extracting(e -> ((SQLException) e).getSQLState())
        .as(statement)
        .isEqualTo(state);
  }
}
