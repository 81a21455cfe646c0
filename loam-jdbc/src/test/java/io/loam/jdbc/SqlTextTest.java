package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
