package io.loam.jdbc.shell;

import io.loam.jdbc.LoamDriver;
import io.loam.jdbc.SqlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.jline.reader.History;
import org.jline.reader.LineReader;
import org.jline.reader.impl.LineReaderImpl;
import org.jspecify.annotations.Nullable;
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
    if (!isUrl && !location.contains(":") && !Files.exists(Path.of(location))) {
      err.println("new warehouse: " + location);
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
    try (Connection connection = connect(url)) {
      Script script = new Script(connection, arguments.format().printer(out));
      for (String statement : SqlText.statements(text)) {
        if (statement.strip().equalsIgnoreCase("help")) {
          out.print(Arguments.USAGE);
          out.print(Arguments.STATEMENTS);
          continue;
        }
        script.run(statement);
      }
      return 0;
    } catch (SQLException e) {
      out.flush();
      err.println("error " + e.getSQLState() + ": " + e.getMessage());
      return SQL_ERROR;
    }
  }

  /** Without DriverManager, which opens every jar to look for other drivers. */
  private static Connection connect(String url) throws SQLException {
    return Objects.requireNonNull(new LoamDriver().connect(url, new Properties()), url);
  }

  /** sqlline, whose TAB completes bare names of columns too. */
  private static final class CompletingSqlLine extends SqlLine {
    private final String url;

    CompletingSqlLine(String url) {
      this.url = url;
    }

    @Override
    public LineReader getConsoleReader(@Nullable InputStream input, History history)
        throws IOException {
      LineReader reader = super.getConsoleReader(input, history);
      if (reader instanceof LineReaderImpl implementation
          && !(implementation.getCompleter() instanceof ColumnCompleter)) {
        implementation.setCompleter(
            new ColumnCompleter(implementation.getCompleter(), () -> connect(url)));
      }
      return reader;
    }
  }

  private int openShell(String url) throws IOException {
    Path history = arguments.history();
    Files.createDirectories(history.toAbsolutePath().getParent());
    String[] args = {
      "-d",
      LoamDriver.class.getName(),
      "-u",
      url,
      "-n",
      "",
      "-p",
      "",
      "--historyFile=" + history,
      "--prompt=loam> ",
      "--fastConnect=false", // so that TAB completes names of tables
      "--isolation=TRANSACTION_REPEATABLE_READ",
      "--maxWidth=200",
      "--maxColumnWidth=80"
    };
    out.println("End a statement with ;  !tables lists tables, !help all commands, !quit leaves.");
    out.flush();
    CompletingSqlLine shell = new CompletingSqlLine(url);
    return shell.begin(args, null, true) == SqlLine.Status.OK ? 0 : SQL_ERROR;
  }
}
