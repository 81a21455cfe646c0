package io.loam.jdbc.shell;

import io.loam.jdbc.LoamDriver;
import io.loam.jdbc.SqlText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
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
  @Parameters(
      paramLabel = "<url or folder>",
      description = "A jdbc:loam: URL, or a warehouse's folder.")
  private String location = "";

  @Option(
      names = "-e",
      paramLabel = "<sql>",
      description = "SQL to run: one statement, or several separated by ; (may be repeated).")
  private List<String> sql = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "<format>",
      description = "How -e prints rows: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Format format = Format.table;

  @Option(names = "--piped", hidden = true, description = "Run the SQL of standard input.")
  private boolean piped;

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
    boolean isUrl = location.startsWith(LoamDriver.URL_PREFIX);
    if (!isUrl && location.startsWith("jdbc:")) {
      err.println(
          "error: not a URL of Loam: " + location + "; use " + LoamDriver.URL_PREFIX + "<folder>");
      return 2;
    }
    if (!isUrl && !Files.exists(Path.of(location))) {
      err.println("new warehouse: " + location);
    }
    String url = isUrl ? location : LoamDriver.URL_PREFIX + location;
    if (!sql.isEmpty()) {
      return runStatements(url, String.join(";", sql));
    }
    return piped ? runStatements(url, input()) : openShell(url);
  }

  /** What is piped into the program. */
  private static String input() throws IOException {
    return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
  }

  private int runStatements(String url, String text) {
    try (Connection connection = DriverManager.getConnection(url)) {
      Script script = new Script(connection, format.printer(out));
      for (String statement : SqlText.statements(text)) {
        script.run(statement);
      }
      return 0;
    } catch (SQLException e) {
      out.flush();
      err.println("error " + e.getSQLState() + ": " + e.getMessage());
      return 1;
    }
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
      "--fastConnect=false", // so that TAB completes names of tables and columns
      "--isolation=TRANSACTION_REPEATABLE_READ",
      "--maxWidth=200",
      "--maxColumnWidth=80"
    };
    out.println("End a statement with ;  !tables lists tables, !help all commands, !quit leaves.");
    out.flush();
    SqlLine shell = new SqlLine();
    return shell.begin(args, null, true) == SqlLine.Status.OK ? 0 : 1;
  }
}
