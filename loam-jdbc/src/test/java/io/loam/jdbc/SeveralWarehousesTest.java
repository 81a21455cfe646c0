package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Warehouses in one JVM have nothing of each other, though names, texts and plans are the same. */
class SeveralWarehousesTest {
  private static final String SELECT = "SELECT title FROM docs WHERE id = ?";

  @TempDir Path first;
  @TempDir Path second;

  private static Connection open(Path folder, String type, String title) throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:loam:" + folder);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE docs (id " + type + " PRIMARY KEY, title VARCHAR)");
      statement.execute("INSERT INTO docs VALUES ('1', '" + title + "')");
    }
    return connection;
  }

  private static String title(PreparedStatement select) throws SQLException {
    select.setString(1, "1");
    try (ResultSet rows = select.executeQuery()) {
      assertThat(rows.next()).isTrue();
      String title = rows.getString(1);
      assertThat(rows.next()).isFalse();
      return title;
    }
  }

  @Test
  @SuppressWarnings("try") // One is closed early.
  void eachHasItsOwnRowsPlansAndLife() throws SQLException {
    try (Connection one = open(first, "BIGINT", "of the first");
        Connection two = open(second, "VARCHAR", "of the second");
        Connection again = DriverManager.getConnection("jdbc:loam:" + first)) {
      try (PreparedStatement a = one.prepareStatement(SELECT);
          PreparedStatement b = two.prepareStatement(SELECT);
          PreparedStatement c = again.prepareStatement(SELECT)) {
        for (int i = 0; i < 3; i++) {
          assertThat(title(a)).isEqualTo("of the first");
          assertThat(title(b)).isEqualTo("of the second");
          assertThat(title(c)).isEqualTo("of the first");
        }
        assertThat(a.getParameterMetaData().getParameterTypeName(1)).isEqualTo("BIGINT");
        assertThat(b.getParameterMetaData().getParameterTypeName(1)).startsWith("VARCHAR");
        try (Statement statement = two.createStatement()) {
          statement.execute("DROP TABLE docs");
        }
        one.close();
        assertThatThrownBy(() -> title(a)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> title(b)).isInstanceOf(SQLException.class);
        assertThat(title(c)).isEqualTo("of the first");
      }
    }
  }
}
