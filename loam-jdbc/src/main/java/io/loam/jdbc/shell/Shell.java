package io.loam.jdbc.shell;

import io.loam.jdbc.LoamDriver;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import sqlline.SqlLine;

/** Opens a warehouse in the sqlline shell, or runs SQL given on the command line. */
@Command(
    name = "loam sql",
    mixinStandardHelpOptions = true,
    description = "Opens a warehouse in a shell, or runs the SQL of -e.",
    sortOptions = false)
public final class Shell implements Callable<Integer> {
  private static final String STATEMENT_SEPARATOR = ";;";

  @Parameters(
      paramLabel = "<url or folder>",
      description = "A jdbc:loam: URL, or a warehouse's folder.")
  private String location = "";

  @Option(
      names = "-e",
      paramLabel = "<sql>",
      description = "SQL to run: one statement, or several separated by ;; (may be repeated).")
  private List<String> sql = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "<format>",
      description = "How -e prints rows: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Format format = Format.table;

  @Option(names = "--history", hidden = true, description = "File with the shell's history.")
  private Path history = Path.of(System.getProperty("user.home"), ".cache", "loam", "history");

  private final PrintWriter out;
  private final PrintWriter err;

  Shell(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /** Exits with 0, 1 after an error of SQL or of the connection, 2 after wrong arguments. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int status = run(args, out, err);
    out.flush();
    System.exit(status);
  }

  static int run(String[] args, PrintWriter out, PrintWriter err) {
    return new CommandLine(new Shell(out, err))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(out)
        .setErr(err)
        .execute(args);
  }

  @Override
  public Integer call() throws IOException {
    String url =
        location.startsWith(LoamDriver.URL_PREFIX) ? location : LoamDriver.URL_PREFIX + location;
    return sql.isEmpty() ? openShell(url) : runStatements(url);
  }

  private int runStatements(String url) {
    try (Connection connection = DriverManager.getConnection(url)) {
      Script script = new Script(connection, format.printer(out));
      for (String text : sql) {
        for (String statement : statements(text)) {
          script.run(statement);
        }
      }
      return 0;
    } catch (SQLException e) {
      out.flush();
      err.println("error " + e.getSQLState() + ": " + e.getMessage());
      return 1;
    }
  }

  /** The statements of a text, without the separators and a last semicolon. */
  static List<String> statements(String text) {
    return Arrays.stream(text.split(STATEMENT_SEPARATOR, -1))
        .map(String::strip)
        .map(s -> s.endsWith(";") ? s.substring(0, s.length() - 1).strip() : s)
        .filter(s -> !s.isEmpty())
        .toList();
  }

  private int openShell(String url) throws IOException {
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
      "--isolation=TRANSACTION_REPEATABLE_READ",
      "--maxWidth=200",
      "--maxColumnWidth=80"
    };
    SqlLine shell = new SqlLine();
    return shell.begin(args, null, true) == SqlLine.Status.OK ? 0 : 1;
  }
}
