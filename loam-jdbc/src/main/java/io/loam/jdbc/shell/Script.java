package io.loam.jdbc.shell;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs statements one after another and prints their results. */
final class Script {
  private static final Pattern OUTPUT_FORMAT =
      Pattern.compile("!outputformat\\s+(\\w+)", Pattern.CASE_INSENSITIVE);

  private static final Pattern DEFINITION =
      Pattern.compile("(CREATE|ALTER|DROP)\\s.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final Connection connection;
  private final PrintWriter out;
  private RowPrinter printer;

  Script(Connection connection, Format format, PrintWriter out) {
    this.connection = connection;
    this.out = out;
    this.printer = format.printer(out);
  }

  /**
   * Also takes the words that begin and end transactions, for which JDBC has methods, and the
   * shell's command that chooses a format.
   */
  void run(String sql) throws SQLException {
    switch (sql.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ")) {
      case "begin", "begin transaction", "start transaction" -> {
        connection.setAutoCommit(false);
        printer.done("transaction begun");
      }
      case "commit" -> end("committed");
      case "rollback" -> {
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
        end("rolled back");
      }
      default -> {
        Matcher format = OUTPUT_FORMAT.matcher(sql);
        if (format.matches()) {
          printer = Format.of(format.group(1)).printer(out);
        } else {
          runStatement(sql);
        }
      }
    }
  }

  private void end(String how) throws SQLException {
    boolean none = connection.getAutoCommit();
    connection.setAutoCommit(true);
    printer.done(none ? "there is no transaction" : how);
  }

  private void runStatement(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          printer.print(rows);
        }
      } else {
        printer.done(whatWasDone(sql, statement.getLargeUpdateCount()));
      }
    }
  }

  private static String whatWasDone(String sql, long rows) {
    Matcher definition = DEFINITION.matcher(sql);
    if (definition.matches()) {
      return switch (definition.group(1).toUpperCase(Locale.ROOT)) {
        case "CREATE" -> "created";
        case "ALTER" -> "altered";
        default -> "dropped";
      };
    }
    return rows + (rows == 1 ? " row changed" : " rows changed");
  }
}
