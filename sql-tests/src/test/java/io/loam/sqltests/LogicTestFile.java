package io.loam.sqltests;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The records of a file of SQL Logic Test, <a
 * href="https://www.sqlite.org/sqllogictest/doc/trunk/about.wiki">whose form is described
 * there</a>.
 */
final class LogicTestFile {
  sealed interface Entry {}

  /** A statement that must succeed, or fail. */
  record Statement(String sql, boolean succeeds) implements Entry {}

  /**
   * A query.
   *
   * @param types a letter for each column: I, R or T
   * @param sort nosort, rowsort or valuesort
   * @param expected values, or one line with their number and hash
   */
  record Query(String sql, String types, String sort, List<String> expected) implements Entry {}

  private final BufferedReader lines;

  private LogicTestFile(BufferedReader lines) {
    this.lines = lines;
  }

  static List<Entry> read(String name) throws IOException {
    InputStream file =
        Objects.requireNonNull(
            LogicTestFile.class.getResourceAsStream("/test/" + name), "no file " + name);
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      return new LogicTestFile(reader).entries();
    }
  }

  private List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    boolean skipped = false;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        // What only other databases do, or cannot.
        case "onlyif" -> skipped = true;
        case "statement" -> {
          Statement statement = new Statement(sql(), words[1].equals("ok"));
          if (!skipped) {
            entries.add(statement);
          }
          skipped = false;
        }
        case "query" -> {
          Query query = new Query(sql(), words[1], words[2], block());
          if (!skipped) {
            entries.add(query);
          }
          skipped = false;
        }
        default -> {}
      }
    }
    return entries;
  }

  /** Lines up to an empty one, or to that before the results. */
  private String sql() throws IOException {
    StringBuilder sql = new StringBuilder();
    for (String line = next(); line != null && !line.equals("----"); line = next()) {
      sql.append(line).append('\n');
    }
    return sql.toString();
  }

  private List<String> block() throws IOException {
    List<String> block = new ArrayList<>();
    for (String line = next(); line != null; line = next()) {
      block.add(line);
    }
    return block;
  }

  /** The next line of the record, or null at its end. */
  private @Nullable String next() throws IOException {
    String line = lines.readLine();
    return line == null || line.isEmpty() ? null : line;
  }
}
