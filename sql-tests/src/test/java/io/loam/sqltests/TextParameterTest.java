package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts bound to parameters are whole, however short the texts that they meet. */
class TextParameterTest {
  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE k (id BIGINT PRIMARY KEY, s VARCHAR, sh VARCHAR(3))");
    Sql.run(connection, "INSERT INTO k VALUES (1, 'a%b', 'abc'), (2, 'axb', 'x')");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          'abc' = ? ; abcd ; false
          'abc' = ? ; abc ; true
          'abc' <> ? ; abcd ; true
          'abc' < ? ; abcd ; true
          ? > 'abc' ; abcd ; true
          'abc' LIKE ? ; abcd ; false
          'abc' LIKE ? ; abc% ; true
          'a%b' LIKE ? ESCAPE '!' ; a!%b ; true
          'axb' LIKE ? ESCAPE '!' ; a!%b ; false
          'abc' IN (?, 'zz') ; abcd ; false
          'abc' NOT IN (?, 'zz') ; abcd ; true
          ? BETWEEN 'abc' AND 'abcc' ; abcd ; false
          'abc' BETWEEN 'a' AND ? ; abcd ; true
          'abc' IS NOT DISTINCT FROM ? ; abcd ; false
          CASE WHEN TRUE THEN ? ELSE 'abc' END = 'abcd' ; abcd ; true
          COALESCE(CAST(NULL AS VARCHAR(2)), ?) = 'abcd' ; abcd ; true
          NULLIF('abc', ?) IS NULL ; abcd ; false
          ('abc', 1) IN ((?, 1)) ; abcd ; false
          """)
  void conditionsReadAllOfAText(String condition, String value, boolean expected)
      throws SQLException {
    assertThat(Sql.column(connection, "SELECT id FROM k WHERE " + condition, value))
        .hasSize(expected ? 2 : 0);
    assertThat(Sql.column(connection, "SELECT " + condition, value)).isEqualTo(List.of(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM (SELECT id, 'ab' AS t FROM k) WHERE t = ?",
        "SELECT id FROM (VALUES (1, 'ab'), (2, 'c')) z(id, t) WHERE t = ?",
        "SELECT id FROM k WHERE sh = ?",
        "SELECT id FROM k WHERE SUBSTRING(s, 1, 2) = ?",
        "SELECT id FROM k WHERE CASE WHEN id = 1 THEN 'abc' ELSE 'ab' END = ?",
        "SELECT k.id FROM k JOIN (VALUES ('abc'), ('ab')) z(t) ON z.t = ?",
        "SELECT t FROM (VALUES ('abc'), ('ab')) z(t) GROUP BY t HAVING t = ?"
      })
  void noRowHasALongerText(String query) throws SQLException {
    assertThat(Sql.column(connection, query, "abcd")).isEmpty();
  }

  @Test
  void columnsKeepTheirLimits() throws SQLException {
    for (String statement :
        List.of("INSERT INTO k (id, sh) VALUES (3, ?)", "UPDATE k SET sh = ? WHERE id = 2")) {
      assertThatThrownBy(() -> Sql.update(connection, statement, "abcd"))
          .as(statement)
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("abcd");
    }
    assertThat(Sql.column(connection, "SELECT sh FROM k ORDER BY id"))
        .isEqualTo(List.of("abc", "x"));
  }
}
