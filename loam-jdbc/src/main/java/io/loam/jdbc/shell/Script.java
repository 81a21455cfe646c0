package io.loam.jdbc.shell;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** Runs statements one after another and prints their results. */
record Script(Connection connection, RowPrinter printer) {

  /** Also takes the words that begin and end transactions, for which JDBC has methods. */
  void run(String sql) throws SQLException {
    switch (sql.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ")) {
      case "begin", "begin transaction", "start transaction" -> connection.setAutoCommit(false);
      case "commit" -> connection.setAutoCommit(true);
      case "rollback" -> {
        if (!connection.getAutoCommit()) {
          connection.rollback();
          connection.setAutoCommit(true);
        }
      }
      default -> runStatement(sql);
    }
  }

  private void runStatement(String sql) throws SQLException {
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
