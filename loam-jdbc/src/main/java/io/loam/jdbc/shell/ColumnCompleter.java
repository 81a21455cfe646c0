package io.loam.jdbc.shell;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/**
 * Completes names of columns: those of the tables that a statement names, or of all tables while it
 * names none. Names of tables, functions and commands are completed by another completer.
 */
final class ColumnCompleter implements Completer {
  /** Opens a connection to ask for names, when they are first asked for. */
  interface Names {
    Connection connect() throws SQLException;
  }

  private final Completer others;
  private final Names names;

  ColumnCompleter(Completer others, Names names) {
    this.others = others;
    this.names = names;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    others.complete(reader, line, candidates);
    candidates.replaceAll(ColumnCompleter::withoutSuffix);
    if (line.line().startsWith("!")) {
      return;
    }
    String word = line.word().substring(0, line.wordCursor());
    String qualifier = word.substring(0, word.lastIndexOf('.') + 1);
    tables(line.line(), qualifier).values().stream()
        .flatMap(List::stream)
        .distinct()
        .forEach(
            column ->
                candidates.add(
                    new Candidate(qualifier + column, column, "columns", null, null, null, true)));
  }

  /**
   * sqlline's tables have a suffix: part of the name, which JLine takes away if {@code ;} follows.
   */
  private static Candidate withoutSuffix(Candidate c) {
    return c.suffix() == null
        ? c
        : new Candidate(c.value(), c.displ(), c.group(), c.descr(), null, c.key(), c.complete());
  }

  /** Columns by table: of the table with the qualifier, of those in the text, or of all. */
  private Map<String, List<String>> tables(String text, String qualifier) {
    Map<String, List<String>> all = columns();
    if (!qualifier.isEmpty()) {
      String name = Pattern.quote(qualifier.substring(0, qualifier.length() - 1));
      Map<String, List<String>> own =
          some(
              all,
              table ->
                  finds("^" + name + "$", table)
                      || finds(word(table) + "[\"']?\\s+(?:AS\\s+)?" + name + "(?!\\w)", text));
      if (!own.isEmpty()) {
        return own;
      }
    }
    Map<String, List<String>> named = some(all, table -> finds(word(table), text));
    return named.isEmpty() ? all : named;
  }

  private static Map<String, List<String>> some(
      Map<String, List<String>> all, Predicate<String> tables) {
    Map<String, List<String>> some = new LinkedHashMap<>(all);
    some.keySet().removeIf(tables.negate());
    return some;
  }

  private static String word(String name) {
    return "(?<!\\w)" + Pattern.quote(name) + "(?!\\w)";
  }

  private static boolean finds(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE).matcher(text).find();
  }

  /** None where they cannot be had: who types is told when the statement runs. */
  private Map<String, List<String>> columns() {
    Map<String, List<String>> columns = new LinkedHashMap<>();
    try (Connection connection = names.connect();
        ResultSet rows = connection.getMetaData().getColumns(null, null, "%", "%")) {
      while (rows.next()) {
        columns
            .computeIfAbsent(rows.getString("TABLE_NAME"), table -> new ArrayList<>())
            .add(rows.getString("COLUMN_NAME"));
      }
    } catch (SQLException e) {
      return Map.of();
    }
    return columns;
  }
}
