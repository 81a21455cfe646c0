package io.loam.sqltests;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Short forms of JDBC. */
final class Sql {
  private Sql() {}

  /** Without upkeep in the background, so that versions are those of the statements. */
  static Connection connect(Path folder) throws SQLException {
    return DriverManager.getConnection("jdbc:loam:" + folder + "?autoOptimize=false");
  }

  /** Runs one statement and reads all of its rows; its update count, or 0. */
  static int run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          rows(rows);
        }
      }
      return Math.max(0, statement.getUpdateCount());
    }
  }

  /** Runs one prepared update and gives its count. */
  static int update(Connection connection, String sql, @Nullable Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      return statement.executeUpdate();
    }
  }

  /** All rows of a query, arrays as lists. */
  static List<List<@Nullable Object>> rows(
      Connection connection, String sql, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      try (ResultSet rows = statement.executeQuery()) {
        return rows(rows);
      }
    }
  }

  /** The first column of all rows of a query. */
  static List<@Nullable Object> column(
      Connection connection, String sql, @Nullable Object... values) throws SQLException {
    List<@Nullable Object> column = new ArrayList<>();
    rows(connection, sql, values).forEach(row -> column.add(row.get(0)));
    return column;
  }

  static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  static List<List<@Nullable Object>> rows(ResultSet result) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    List<List<@Nullable Object>> rows = new ArrayList<>();
    while (result.next()) {
      List<@Nullable Object> row = new ArrayList<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        row.add(plain(result.getObject(i)));
      }
      rows.add(Collections.unmodifiableList(row));
    }
    return rows;
  }

  private static @Nullable Object plain(@Nullable Object value) throws SQLException {
    if (value instanceof java.sql.Array array) {
      return array.getArray() instanceof Object[] items
          ? Arrays.asList(items)
          : plain(array.getArray());
    }
    if (value instanceof float[] vector) {
      List<Object> list = new ArrayList<>();
      for (float component : vector) {
        list.add(component);
      }
      return list;
    }
    return value;
  }
}
