package io.loam.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The smallest program: connects, asks once, prints the first row's first column, ends. */
final class FirstRow {
  private FirstRow() {}

  public static void main(String[] args) throws SQLException {
    try (Connection connection = DriverManager.getConnection(args[0]);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(args[1])) {
      if (!rows.next()) {
        throw new IllegalStateException("no row: sql=" + args[1]);
      }
      System.out.println(rows.getString(1));
    }
  }
}
