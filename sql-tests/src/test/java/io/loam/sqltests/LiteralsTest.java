package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts with escapes, JDBC's escapes, rows of parameters, and TABLE. */
class LiteralsTest {
  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE q (id BIGINT PRIMARY KEY, n INTEGER, s VARCHAR)");
    Sql.run(
        connection, "INSERT INTO q VALUES (1, 1, 'a'), (2, 2, 'é'), (3, 3, '😀'), (4, 4, 'a%')");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "U&'d\\0061t\\+000061' | data",
        "U&'!+01F600!!' UESCAPE '!' | 😀!",
        "{fn concat(U&'\\00e9', 'é')} | éé",
        "N'日' | 日",
        "E'a\\u00e9' | aé",
        "{fn lcase('ABC')} | abc",
        "{fn Ucase('abc')} | ABC",
        "{fn concat('a', {fn lcase('B')})} | ab",
        "CAST({d '2024-02-29'} AS VARCHAR) | 2024-02-29",
        "CAST({t '10:11:12'} AS VARCHAR) | 10:11:12",
        "CAST({ts '2024-02-29 10:11:12.123456'} AS VARCHAR) | 2024-02-29 10:11:12.123456",
      })
  void textsAreWhatTheyStandFor(String expression, String expected) throws SQLException {
    assertThat(Sql.column(connection, "SELECT " + expression)).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      delimiter = '|',
      value = {
        "s = U&'\\00e9' | 2",
        "s = U&'\\+01F600' | 3",
        "s LIKE U&'\\00e9%' | 2",
        "s = N'é' | 2",
        "s IN (U&'\\00e9', 'x') | 2",
        "s LIKE 'a!%' {escape '!'} | 4",
        "s LIKE 'a!%' ESCAPE '!' | 4",
        "(id, n) IN ((1, 1), (2, 9)) | 1",
      })
  void conditionsFindThem(String condition, long id) throws SQLException {
    assertThat(Sql.column(connection, "SELECT id FROM q WHERE " + condition)).containsExactly(id);
  }

  @Test
  void bytesAreArrays() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT X'00', X'0aff', X''")) {
      rows.next();
      assertThat(rows.getObject(1)).isEqualTo(new byte[] {0});
      assertThat(rows.getObject(2)).isEqualTo(new byte[] {10, -1});
      assertThat(rows.getBytes(2)).isEqualTo(new byte[] {10, -1});
      assertThat(rows.getObject(2, byte[].class)).isEqualTo(new byte[] {10, -1});
      assertThat(rows.getObject(3)).isEqualTo(new byte[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"U&'\\00g0'", "U&'\\+110000'", "U&'a\\'", "U&'\\12'"})
  void wrongEscapesAreErrors(String text) {
    assertThatThrownBy(() -> Sql.column(connection, "SELECT " + text))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42601"));
  }

  @Test
  void quotedNamesHaveEscapes() throws SQLException {
    assertThat(Sql.column(connection, "SELECT U&\"\\0069d\" FROM q WHERE id = 1"))
        .containsExactly(1L);
  }

  @Test
  void outerJoinsInBraces() throws SQLException {
    assertThat(
            Sql.rows(
                connection,
                "SELECT a.id, b.id FROM {oj q AS a LEFT OUTER JOIN q AS b ON b.id = a.id + 3}"
                    + " WHERE a.id < 3 ORDER BY a.id"))
        .hasToString("[[1, 4], [2, null]]");
  }

  @Test
  void rowsTakeParameters() throws SQLException {
    String in = "SELECT id FROM q WHERE (id, n) IN ((?, ?), (?, 3)) ORDER BY id";
    assertThat(Sql.column(connection, in, 1L, 1, 3L)).containsExactly(1L, 3L);
    assertThat(Sql.column(connection, in, 1L, null, 4L)).isEmpty();
    String notIn = "SELECT id FROM q WHERE (id, s) NOT IN ((?, ?), (?, 'é')) ORDER BY id";
    assertThat(Sql.column(connection, notIn, 1L, "a", 2L)).containsExactly(3L, 4L);
    assertThat(Sql.column(connection, notIn, 1L, null, 2L)).containsExactly(3L, 4L);
  }

  @Test
  void tableIsAQuery() throws SQLException {
    List<List<Object>> all = Sql.rows(connection, "SELECT * FROM q");
    assertThat(Sql.rows(connection, "TABLE q")).isEqualTo(all);
    assertThat(Sql.rows(connection, "SELECT * FROM (TABLE q) AS t")).isEqualTo(all);
    assertThat(Sql.column(connection, "(TABLE q) ORDER BY id DESC LIMIT 1")).containsExactly(4L);
  }

  /** Constants that are no literals, of which the planner asks which they are. */
  @Test
  void nullsInProducts() throws SQLException {
    assertThat(Sql.column(connection, "SELECT 54 / NULLIF(1, 1) * 53")).containsOnlyNulls();
    assertThat(Sql.column(connection, "SELECT id * (1 + NULLIF(2, 2)) FROM q ORDER BY id"))
        .containsOnlyNulls()
        .hasSize(4);
    assertThat(Sql.column(connection, "SELECT id * (1 + ?) FROM q ORDER BY id", 2))
        .containsExactly(3L, 6L, 9L, 12L);
  }

  @Test
  void itemsOfNoArrayHaveNoNumbers() throws SQLException {
    Sql.run(connection, "CREATE TABLE a (id BIGINT PRIMARY KEY, tags VARCHAR ARRAY)");
    Sql.run(connection, "INSERT INTO a VALUES (1, ARRAY['x', 'y'])");
    Sql.run(connection, "INSERT INTO a (id) VALUES (2)");
    String unnest = "UNNEST(a.tags) WITH ORDINALITY AS u (t, n)";
    assertThat(Sql.rows(connection, "SELECT id, t, n FROM a CROSS JOIN " + unnest + " ORDER BY n"))
        .hasToString("[[1, x, 1], [1, y, 2]]");
    assertThat(
            Sql.rows(
                connection,
                "SELECT id, t, n FROM a LEFT JOIN " + unnest + " ON TRUE ORDER BY id, n"))
        .hasToString("[[1, x, 1], [1, y, 2], [2, null, null]]");
  }
}
