package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.LoamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextTest {
  @Test
  void semicolonsOutsideOfQuotesAndCommentsSeparate() {
    assertThat(
            SqlText.statements(
                "SELECT 1; SELECT ';' AS \";\" -- ; no\n; /* ; */ ;;\nSELECT 'it''s;'"))
        .containsExactly("SELECT 1", "SELECT ';' AS \";\" -- ; no", "SELECT 'it''s;'");
    assertThat(SqlText.statements(" ;; -- nothing")).isEmpty();
    assertThat(SqlText.statements("'open; ")).containsExactly("'open;");
    assertThat(SqlText.statements("\"a\"; 'b'")).containsExactly("\"a\"", "'b'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT 1            | SELECT 1",
        "SELECT 1; -- c ; d  | SELECT 1",
        "SELECT 1;; /* ; */; | SELECT 1",
        "SELECT ';' ;        | ^SELECT ';' ^",
        "SELECT ';' -- ; c   | SELECT ';' -- ; c",
        "SELECT 1 // ; c     | SELECT 1 // ; c",
        "; SELECT 1          | ; SELECT 1",
        "-- c                | -- c",
      })
  void whatIsBehindAStatementIsLeftOut(String text, String statement) {
    assertThat(SqlText.single(text)).isEqualTo(statement);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "SELECT 1; SELECT 2         | line=1, column=11",
        "SELECT 1; -- c¶¶ SELECT 2  | line=3, column=2",
        "SELECT 1;;'a'              | line=1, column=11",
      })
  void severalStatementsAreRefused(String text, String place) {
    assertThatThrownBy(() -> SqlText.single(text.replace('¶', '\n')))
        .isInstanceOf(LoamException.class)
        .hasMessageContaining("several statements: the second begins at " + place + "; run");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT ?", "SELECT '?', ?", "-- ?\n?", "'it''s' ?"})
  void parametersAreFound(String sql) {
    assertThat(SqlText.hasParameter(sql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT '?'", "SELECT \"?\"", "-- ?", "/* ? */ SELECT 1", "'it''s ?'"})
  void questionMarksInTextAreNone(String sql) {
    assertThat(SqlText.hasParameter(sql)).isFalse();
  }
}
