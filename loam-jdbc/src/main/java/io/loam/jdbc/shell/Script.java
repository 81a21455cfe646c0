package io.loam.jdbc.shell;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs statements one after another and prints their results. */
record Script(Connection connection, RowPrinter printer) {

  void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          printer.print(rows);
        }
      } else {
        printer.changed(statement.getLargeUpdateCount());
      }
    }
  }
}
