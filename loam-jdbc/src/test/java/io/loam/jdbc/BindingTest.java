package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What parameters take and refuse, and calls that a result set refuses. */
class BindingTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:loam:" + folder);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE docs (id BIGINT PRIMARY KEY, n INTEGER, ok BOOLEAN, lang VARCHAR,"
              + " body TEXT, extra JSON, seen TIMESTAMP, born DATE, ref UUID,"
              + " price DECIMAL(6, 2), weight REAL, score DOUBLE)");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private Object stored(String column, Object value) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs (id, " + column + ") VALUES (1, ?)")) {
      insert.setObject(1, value);
      insert.executeUpdate();
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT " + column + " FROM docs")) {
      assertThat(rows.next()).isTrue();
      return rows.getObject(1);
    }
  }

  private void assertRefused(String column, Object value, String state) {
    assertState(state, () -> stored(column, value));
  }

  private static void assertState(String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state))
        .hasMessageContaining("; ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lang", "body", "extra"})
  void textTakesNoObjectWithoutText(String column) {
    assertRefused(column, new byte[] {1, 2}, "42804");
    assertRefused(column, new Object(), "42804");
    assertRefused(column, Map.of("a", 1), "42804");
    assertThatThrownBy(() -> stored(column, new byte[] {1}))
        .hasMessageContaining("value does not fit the type: parameter=1, class=byte[], type=");
  }

  @Test
  void textTakesWhatHasAText() throws SQLException {
    assertThat(stored("lang", 'x')).isEqualTo("x");
    delete();
    assertThat(stored("lang", new BigDecimal("1E+2"))).isEqualTo("100");
    delete();
    assertThat(stored("lang", true)).isEqualTo("true");
    delete();
    assertThat(stored("lang", new UUID(1, 2))).isEqualTo(new UUID(1, 2).toString());
    delete();
    assertThat(stored("lang", LocalDate.of(2026, 1, 31))).isEqualTo("2026-01-31");
    delete();
    assertThat(stored("body", new StringReader("read to its end"))).isEqualTo("read to its end");
  }

  private void delete() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM docs");
    }
  }

  @Test
  void wholeNumbersTakeNoFraction() throws SQLException {
    assertRefused("n", 2.5, "22003");
    assertRefused("n", "2.5", "22003");
    assertRefused("n", 1L << 31, "22003");
    assertRefused("n", new BigDecimal("1e999999999"), "22003");
    assertThat(stored("n", 2.0)).isEqualTo(2);
    delete();
    assertThat(stored("n", new BigDecimal("1e3"))).isEqualTo(1000);
  }

  /** Which parameter it is, of which row of a batch, and its type. */
  @Test
  void errorsTellWhatTheValueIsFor() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO docs (lang, n, id, price, weight, score) VALUES (?, ?, ?, ?, ?, ?)")) {
      List<String> types = List.of("VARCHAR", "INTEGER", "BIGINT", "DECIMAL", "REAL", "DOUBLE");
      for (int position = 2; position <= 6; position++) {
        int parameter = position;
        assertThatThrownBy(() -> insert.setObject(parameter, "bad"))
            .hasMessage(
                "text is not a value of the type: parameter=%d, text=bad, type=%s; correct the text"
                    .formatted(parameter, types.get(parameter - 1)));
        assertThatThrownBy(() -> insert.setObject(parameter, List.of()))
            .hasMessageContaining(", type=" + types.get(parameter - 1) + ";");
      }
      insert.setString(1, "a");
      for (int position = 2; position <= 6; position++) {
        insert.setObject(position, 1);
      }
      insert.addBatch();
      assertThatThrownBy(() -> insert.setObject(2, "bad"))
          .hasMessageContaining(": row=2, parameter=2, text=bad, type=INTEGER;");
      insert.clearBatch();
      assertThatThrownBy(() -> insert.setObject(2, "bad")).hasMessageContaining(": parameter=2,");
    }
  }

  @Test
  void booleansTakeZeroAndOneOnly() throws SQLException {
    assertRefused("ok", 2, "22003");
    assertRefused("ok", Double.NaN, "22P02");
    assertRefused("ok", "maybe", "22P02");
    assertRefused("ok", new Object(), "42804");
    assertThat(stored("ok", 1)).isEqualTo(true);
    delete();
    assertThat(stored("ok", "false")).isEqualTo(false);
  }

  @Test
  void timesHaveARange() {
    assertRefused("seen", Instant.MAX, "22003");
    assertRefused("seen", java.time.LocalDateTime.MAX, "22003");
    assertRefused("born", LocalDate.MAX, "22003");
  }

  @Test
  void resultSetsAreReadOnceAndReadOnly() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, ref FROM docs")) {
      assertThat(rows.getMetaData().getColumnClassName(2)).isEqualTo(UUID.class.getName());
      assertState("0A000", rows::previous);
      assertState("0A000", rows::updateRow);
      assertState("0A000", () -> rows.updateString("id", "x"));
      assertThatThrownBy(() -> rows.absolute(1))
          .isInstanceOf(SQLFeatureNotSupportedException.class)
          .hasMessageContaining("absolute of a forward-only result set");
      assertState("22023", () -> statement.setMaxRows(-1));
      assertState("0A000", () -> statement.setCursorName("x"));
    }
  }
}
