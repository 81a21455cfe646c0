package io.loam.jdbc.shell;

import io.loam.jdbc.LoamDriver;
import io.loam.jdbc.SqlText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import sqlline.SqlLine;

/** Opens a warehouse in the sqlline shell, or runs SQL given on the command line. */
public final class Shell {
  private static final int SQL_ERROR = 1;
  private static final int WRONG_ARGUMENTS = 2;

  private final Arguments arguments;
  private final PrintWriter out;
  private final PrintWriter err;

  private Shell(Arguments arguments, PrintWriter out, PrintWriter err) {
    this.arguments = arguments;
    this.out = out;
    this.err = err;
  }

  /** Exits with 0, 1 after an error of SQL or of the connection, 2 after wrong arguments. */
  public static void main(String[] args) throws IOException {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int status = run(args, out, err);
    out.flush();
    System.exit(status);
  }

  static int run(String[] args, PrintWriter out, PrintWriter err) throws IOException {
    if (Arguments.askForHelp(args)) {
      out.print(Arguments.USAGE);
      return 0;
    }
    Arguments arguments;
    try {
      arguments = Arguments.parse(args);
    } catch (IllegalArgumentException e) {
      err.println("error: " + e.getMessage());
      err.print(Arguments.USAGE);
      err.flush();
      return WRONG_ARGUMENTS;
    }
    return new Shell(arguments, out, err).run();
  }

  private int run() throws IOException {
    String location = arguments.location();
    boolean isUrl = location.startsWith(LoamDriver.URL_PREFIX);
    if (!isUrl && location.startsWith("jdbc:")) {
      err.println(
          "error: not a URL of Loam: " + location + "; use " + LoamDriver.URL_PREFIX + "<folder>");
      return WRONG_ARGUMENTS;
    }
    String url = isUrl ? location : LoamDriver.URL_PREFIX + location;
    if (!arguments.sql().isEmpty()) {
      return runStatements(url, String.join(";", arguments.sql()));
    }
    return arguments.piped() ? runStatements(url, input()) : openShell(url);
  }

  /** What is piped into the program. */
  private static String input() throws IOException {
    return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private int runStatements(String url, String text) {
    List<String> statements = SqlText.statements(text);
    int run = 0;
    try (Connection connection = connect(url)) {
      printWarnings(connection);
      Script script = new Script(connection, arguments.format(), out);
      for (String statement : statements) {
        run++;
        switch (statement.toLowerCase(Locale.ROOT)) {
          case "help", "!help" -> {
            out.print(Arguments.HELP);
          }
          case "quit", "exit", "!quit", "!exit" -> {
            return 0;
          }
          default -> script.run(statement);
        }
      }
      return checkCommitted(connection);
    } catch (SQLException e) {
      return failed("error " + e.getSQLState() + ": " + e.getMessage(), run, statements.size());
    } catch (IllegalArgumentException e) {
      return failed("error: " + e.getMessage(), run, statements.size());
    }
  }

  private int failed(String error, int statement, int statements) {
    out.flush();
    err.println(error);
    if (statement > 0 && statements > 1) {
      err.println("stopped at statement " + statement + " of " + statements);
    }
    return SQL_ERROR;
  }

  private void printWarnings(Connection connection) throws SQLException {
    for (SQLWarning w = connection.getWarnings(); w != null; w = w.getNextWarning()) {
      err.println("warning: " + w.getMessage());
    }
    connection.clearWarnings();
  }

  private int checkCommitted(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      return 0;
    }
    connection.rollback();
    out.flush();
    err.println("error: the last transaction was rolled back; end it with COMMIT");
    return SQL_ERROR;
  }

  /** Without DriverManager, which opens every jar to look for other drivers. */
  static Connection connect(String url) throws SQLException {
    return Objects.requireNonNull(new LoamDriver().connect(url, new Properties()), url);
  }

  private int openShell(String url) throws IOException {
    Path history = arguments.history();
    Files.createDirectories(history.toAbsolutePath().getParent());
    out.println(InteractiveShell.GREETING);
    out.flush();
    return new InteractiveShell(url, arguments.format()).run(history) == SqlLine.Status.OK
        ? 0
        : SQL_ERROR;
  }
}
