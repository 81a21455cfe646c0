package io.loam.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/** Asks over a JDBC connection of its own, by a statement that is prepared once. */
final class JdbcAsker implements Asker {
  private final Connection connection;
  private final PreparedStatement statement;
  private final Binder binder;

  /** Sets a statement's parameters. */
  interface Binder {
    Binder NONE = (statement, question) -> {};

    void bind(PreparedStatement statement, int question) throws SQLException;
  }

  private JdbcAsker(Connection connection, PreparedStatement statement, Binder binder) {
    this.connection = connection;
    this.statement = statement;
    this.binder = binder;
  }

  /** For a statement whose first column is a whole number. */
  static Contestant.Askers of(String url, String sql, Binder binder) {
    return () -> {
      Connection connection = DriverManager.getConnection(url);
      try {
        return new JdbcAsker(connection, connection.prepareStatement(sql), binder);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    };
  }

  /** Reads all columns of all rows, and gives the first column. */
  @Override
  public long[] ask(int question) throws SQLException {
    binder.bind(statement, question);
    long[] ids = new long[16];
    int count = 0;
    try (ResultSet rows = statement.executeQuery()) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        if (count == ids.length) {
          ids = Arrays.copyOf(ids, 2 * count);
        }
        ids[count++] = rows.getLong(1);
        for (int column = 2; column <= columns; column++) {
          rows.getObject(column);
        }
      }
    }
    return Arrays.copyOf(ids, count);
  }

  @Override
  public void close() throws SQLException {
    statement.close();
    connection.close();
  }
}
