package io.loam.jdbc.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The arguments of {@code bin/loam sql}. They are few and are read by hand, since a library for
 * them takes a fifth of the time to the first row.
 *
 * @param location a URL or a folder
 * @param sql of the options {@code -e}
 * @param piped whether SQL is read from standard input
 * @param history the file with the shell's history
 */
record Arguments(String location, List<String> sql, Format format, boolean piped, Path history) {
  static final String USAGE =
      """
      Usage: loam sql <url or folder> [-e <sql>]... [--format table|csv|json]
      Opens a warehouse in a shell, or runs the SQL of -e.
            <url or folder>     A jdbc:loam: URL, or a warehouse's folder.
        -e <sql>                SQL to run: one statement, or several separated by ; (may be repeated).
            --format <format>   How rows are printed: table, csv, json (default: table).
        -h, --help              Show this help.
      """;

  /** What {@code help} in the shell and among statements tells. */
  static final String HELP =
      """
      Statements end with ; and are

        SHOW TABLES, DESCRIBE <table>                  what there is
        SELECT, EXPLAIN PLAN FOR, EXPLAIN ANALYZE      queries, how they run, and what they cost
        INSERT, UPSERT, UPDATE, DELETE, MERGE          changes, each of them a commit
        BEGIN, COMMIT, ROLLBACK                        several changes as one commit, or none
        CREATE, ALTER, DROP                            tables, indexes and tags
        CALL loam.optimize, loam.gc, loam.verify       upkeep; each takes the name of a table

      Commands stand alone on a line:

        !outputformat table | csv | json               how rows are printed
        help, quit                                     this text; the end
      """;

  /** What else {@code help} tells where lines are typed. */
  static final String TYPED_HELP =
      """
        !tables, !columns <table>, !indexes <table>    what there is, in detail
        !history, !run <file>, !record <file>          statements before; of a file; all into a file

      TAB completes names of tables, columns and functions. docs/SQL.md describes all of it.
      """;

  private static final List<String> WITH_VALUE = List.of("-e", "--format", "--history");
  private static final List<String> FLAGS = List.of("--piped");

  Arguments {
    sql = List.copyOf(sql);
  }

  static boolean askForHelp(String... given) {
    return Arrays.stream(given).anyMatch(a -> a.equals("-h") || a.equals("--help"));
  }

  /** Fails with {@link IllegalArgumentException}, which says what is wrong. */
  static Arguments parse(String... given) {
    String location = "";
    List<String> sql = new ArrayList<>();
    Format format = Format.table;
    boolean piped = false;
    Path history = Path.of(System.getProperty("user.home"), ".cache", "loam", "history");
    for (int i = 0; i < given.length; i++) {
      int equals = given[i].startsWith("--") ? given[i].indexOf('=') : -1;
      String name = equals < 0 ? given[i] : given[i].substring(0, equals);
      String value = "";
      if (WITH_VALUE.contains(name)) {
        if (equals < 0 && ++i == given.length) {
          throw new IllegalArgumentException("option without a value: " + name);
        }
        value = equals < 0 ? given[i] : given[i].substring(equals + 1);
      } else if (name.startsWith("-") && !FLAGS.contains(given[i])) {
        throw new IllegalArgumentException("unknown option: " + given[i]);
      }
      switch (name) {
        case "-e" -> sql.add(value);
        case "--format" -> format = Format.of(value);
        case "--history" -> history = Path.of(value);
        case "--piped" -> piped = true;
        default -> location = only(location, name);
      }
    }
    if (location.isEmpty()) {
      throw new IllegalArgumentException("no URL or folder is given");
    }
    return new Arguments(location, sql, format, piped, history);
  }

  private static String only(String before, String location) {
    if (!before.isEmpty()) {
      throw new IllegalArgumentException(
          "more than one URL or folder: " + before + " and " + location);
    }
    return location;
  }
}
