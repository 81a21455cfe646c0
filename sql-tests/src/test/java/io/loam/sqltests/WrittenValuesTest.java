package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written is what CAST gives, whatever the statement that writes it looks like. */
class WrittenValuesTest {
  private static final List<String> TYPES =
      List.of(
          "BIGINT",
          "INTEGER",
          "DOUBLE",
          "REAL",
          "DECIMAL(10, 2)",
          "DECIMAL(38, 10)",
          "BOOLEAN",
          "DATE",
          "TIMESTAMP");

  /** Statements that write one row of the values that a list gives from the table s. */
  private static final List<String> SHAPES =
      List.of(
          "UPSERT INTO w (%1$s) SELECT %2$s FROM s",
          "UPSERT INTO w (%1$s) SELECT %2$s FROM s UNION ALL SELECT %2$s FROM s WHERE id < 0",
          "UPSERT INTO w (%1$s) SELECT %2$s FROM s ORDER BY id LIMIT 1",
          "UPSERT INTO w (%1$s) SELECT DISTINCT %2$s FROM s",
          "UPSERT INTO w (%1$s) WITH q AS (SELECT * FROM s) SELECT %2$s FROM q",
          "MERGE INTO w USING s ON w.id = s.id WHEN MATCHED THEN UPDATE SET %3$s");

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void create() throws SQLException {
    connection = Sql.connect(folder);
    for (int t = 0; t < TYPES.size(); t++) {
      Sql.run(
          connection, "CREATE TABLE r" + t + " (id BIGINT PRIMARY KEY, c " + TYPES.get(t) + ")");
      Sql.run(connection, "INSERT INTO r" + t + " (id) VALUES (1)");
    }
    Sql.run(
        connection,
        "CREATE TABLE s (id BIGINT PRIMARY KEY, l BIGINT, i INTEGER, d DOUBLE, r REAL,"
            + " k DECIMAL(10, 2), kk DECIMAL(38, 10), b BOOLEAN, dt DATE, ts TIMESTAMP)");
    Sql.run(
        connection,
        "INSERT INTO s VALUES (1, 16777217, 7, 2.5e0, 1.1e0, -1.25, 12.3456789012, TRUE,"
            + " DATE '2024-02-29', TIMESTAMP '2024-02-29 12:34:56.123456')");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  /** Values as each type, with a cast and without; those that are none fail likewise. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "l | d | r | k | kk",
        "dt | ts | k / 3 | 1e300 | '1'",
        "-9223372036854775808 | '1e2' | 'NaN' | ' TRUE ' | '2024-01-05 10:00:00.1234567'"
      })
  void areThoseOfCast(String a, String b, String c, String d, String e) throws SQLException {
    Map<String, Object> expected = new LinkedHashMap<>();
    List<String> declared = new ArrayList<>();
    List<String> values = new ArrayList<>();
    List<String> given = List.of(a, b, c, d, e);
    for (int v = 0; v < given.size(); v++) {
      for (int t = 0; t < TYPES.size(); t++) {
        String value = given.get(v);
        String cast = "CAST(" + value + " AS " + TYPES.get(t) + ")";
        String column = "c_" + v + "_" + t;
        try {
          Object result = Sql.column(connection, "SELECT " + cast + " FROM s").get(0);
          expected.put(column, result);
          expected.put(column + "_cast", result);
          declared.add(column + " " + TYPES.get(t));
          declared.add(column + "_cast " + TYPES.get(t));
          values.addAll(List.of(value, cast));
        } catch (SQLException error) {
          refuses(value, t, SHAPES.get((v + t) % SHAPES.size()), error.getSQLState());
        }
      }
    }
    Sql.run(connection, "DROP TABLE IF EXISTS w");
    Sql.run(
        connection, "CREATE TABLE w (id BIGINT PRIMARY KEY, " + String.join(", ", declared) + ")");
    for (String shape : SHAPES) {
      writes(shape, expected, values);
    }
    if (!values.toString().matches(".*\\b(id|l|i|d|r|k|kk|b|dt|ts)\\b.*")) {
      writes("UPSERT INTO w (%1$s) VALUES (1, %4$s)", expected, values);
      writes("UPDATE w SET %3$s", expected, values);
    }
  }

  private static void writes(String shape, Map<String, Object> expected, List<String> values)
      throws SQLException {
    List<String> columns = List.copyOf(expected.keySet());
    Sql.run(connection, "UPSERT INTO w (id) VALUES (1)");
    Sql.run(
        connection,
        shape.formatted(
            "id, " + String.join(", ", columns),
            "id, " + String.join(", ", values),
            assignments(columns, values),
            String.join(", ", values)));
    List<Object> written =
        Sql.rows(connection, "SELECT " + String.join(", ", columns) + " FROM w").get(0);
    Map<String, Object> named = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      named.put(columns.get(i), written.get(i));
    }
    assertThat(named).as(shape).containsExactlyEntriesOf(expected);
  }

  private static String assignments(List<String> columns, List<String> values) {
    return IntStream.range(0, columns.size())
        .mapToObj(i -> columns.get(i) + " = " + values.get(i))
        .collect(Collectors.joining(", "));
  }

  private static void refuses(String value, int type, String shape, String state) {
    String table = "r" + type;
    String sql =
        shape
            .replace(" w ", " " + table + " ")
            .replace("w.id", table + ".id")
            .formatted("id, c", "id, " + value, "c = " + value);
    assertThatThrownBy(() -> Sql.run(connection, sql))
        .as(sql)
        .isInstanceOf(SQLException.class)
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo(state);
  }

  /** Each row is written as it would be by itself. */
  @Test
  void mixedRowsOfValues() throws SQLException {
    Map<String, List<String>> columns = new LinkedHashMap<>();
    columns.put("a INTEGER", List.of("1", "'2'", "-3", "NULL"));
    columns.put("b BIGINT", List.of("'9223372036854775807'", "1", "2.5", "'7'"));
    columns.put("c DOUBLE", List.of("4.5", "'NaN'", "1e300", "'-Infinity'"));
    columns.put("d REAL", List.of("4.5", "'0.1'", "1e0", "'-Infinity'"));
    columns.put("e DECIMAL(10, 2)", List.of("1.5", "'2'", "1.005", "'1.005'"));
    columns.put("f DECIMAL(38, 10)", List.of("1.5e0", "'12345678901234567890.5'", "7", "'-0.1'"));
    columns.put("g DATE", List.of("DATE '2020-01-01'", "'2021-01-01'", "NULL", "'0001-01-01'"));
    columns.put(
        "h TIMESTAMP",
        List.of(
            "TIMESTAMP '2020-01-01 00:00:00.123456'",
            "'2021-01-01'",
            "NULL",
            "'2021-01-01 10:00:00'"));
    columns.put("i BOOLEAN", List.of("TRUE", "'false'", "NULL", "' TRUE '"));
    columns.put("j VARCHAR", List.of("'a'", "5", "2.50", "TRUE"));
    columns.put("k VARCHAR", List.of("DATE '2020-01-01'", "'b'", "NULL", "-1"));
    columns.put("l TEXT", List.of("'a'", "TIMESTAMP '2020-01-01 00:00:00'", "1e2", "' x '"));
    Sql.run(
        connection,
        "CREATE TABLE m (id BIGINT PRIMARY KEY, " + String.join(", ", columns.keySet()) + ")");
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int item = i % 4;
      rows.add(
          columns.values().stream()
              .map(items -> items.get(item))
              .collect(Collectors.joining(", ", "(" + i + ", ", ")")));
    }
    for (int i = 0; i < 4; i++) {
      Sql.run(connection, "INSERT INTO m VALUES " + rows.get(i));
    }
    List<List<Object>> alone = Sql.rows(connection, "SELECT * FROM m ORDER BY id");
    for (List<String> some : List.of(rows.subList(0, 4), rows)) {
      for (String id : List.of("(0, ", "(2 - 2, ")) {
        Sql.run(connection, "DELETE FROM m");
        Sql.run(connection, "INSERT INTO m VALUES " + String.join(", ", some).replace("(0, ", id));
        assertThat(Sql.rows(connection, "SELECT * FROM m WHERE id < 4 ORDER BY id"))
            .isEqualTo(alone);
      }
    }
    Sql.run(connection, "DROP TABLE m");
  }

  @Test
  void textThatIsNoneNamesItsRowAndColumn() throws SQLException {
    Sql.run(connection, "CREATE TABLE n (id BIGINT PRIMARY KEY, pages INTEGER)");
    assertThatThrownBy(
            () -> Sql.run(connection, "INSERT INTO n VALUES (20, 1), (21, 'two'), (22, NULL)"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("value is not of the column's type")
        .hasMessageContaining("row=2")
        .hasMessageContaining("column=pages")
        .hasMessageContaining("value=two");
    assertThat(Sql.rows(connection, "SELECT * FROM n")).isEmpty();
    Sql.run(connection, "DROP TABLE n");
  }

  @Test
  void nullOfSubqueries() throws SQLException {
    Sql.run(connection, "CREATE TABLE u (id BIGINT PRIMARY KEY, k DECIMAL(10, 2), v VECTOR(2))");
    Sql.run(connection, "INSERT INTO u SELECT z.id, z.x, z.x FROM (SELECT 300 AS id, NULL AS x) z");
    Sql.run(connection, "UPDATE u SET k = 5");
    Sql.run(connection, "UPDATE u SET k = (SELECT NULL FROM s WHERE id = 1)");
    assertThat(Sql.column(connection, "SELECT id FROM u WHERE k IS NULL AND v IS NULL"))
        .isEqualTo(List.of(300L));
    Sql.run(connection, "DROP TABLE u");
  }
}
