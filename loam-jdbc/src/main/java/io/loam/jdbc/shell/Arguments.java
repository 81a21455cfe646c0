package io.loam.jdbc.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
            --format <format>   How -e and piped SQL print rows: table, csv, json (default: table).
        -h, --help              Show this help.
      """;

  /** What {@code help} among statements adds. */
  static final String STATEMENTS =
      """
      Statements: SHOW TABLES, DESCRIBE <table>, SELECT, EXPLAIN PLAN FOR, INSERT, UPSERT, UPDATE, DELETE, MERGE,
      CREATE TABLE, ALTER TABLE, DROP TABLE, CREATE INDEX, CREATE TAG, CALL; docs/SQL.md has them all.
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
        case "--format" -> format = format(value);
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

  private static Format format(String name) {
    Optional<Format> format =
        Arrays.stream(Format.values())
            .filter(f -> f.name().equals(name.toLowerCase(Locale.ROOT)))
            .findFirst();
    return format.orElseThrow(
        () -> new IllegalArgumentException("unknown format: " + name + "; use table, csv or json"));
  }
}
