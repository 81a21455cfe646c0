package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.Nearest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with a statement that begins as none does. */
final class FirstWord {
  private static final Pattern WORD = Pattern.compile("^\\s*([A-Za-z_]\\w*)");

  private static final List<String> STATEMENTS =
      List.of(
          "ALTER",
          "CALL",
          "CREATE",
          "DELETE",
          "DESCRIBE",
          "DROP",
          "EXPLAIN",
          "INSERT",
          "MERGE",
          "SELECT",
          "SHOW",
          "TABLE",
          "UPDATE",
          "UPSERT",
          "VALUES",
          "WITH");

  private static final String BEGIN =
      "call setAutoCommit(false) of the connection, after which each statement is part of a"
          + " transaction";

  /** What JDBC has instead of statements that other databases have. */
  private static final Map<String, String> CALLS =
      Map.ofEntries(
          Map.entry("BEGIN", BEGIN),
          Map.entry("START", BEGIN),
          Map.entry("COMMIT", "call commit() of the connection"),
          Map.entry("END", "call commit() of the connection"),
          Map.entry("ROLLBACK", "call rollback() of the connection"),
          Map.entry("SAVEPOINT", "transactions have none; commit smaller ones"),
          Map.entry("USE", "call setSchema of the connection, or write the schema before names"),
          Map.entry("RESET", "settings are properties of the connection"),
          Map.entry("TRUNCATE", "write DELETE FROM and the table"),
          Map.entry("ANALYZE", "there are no statistics to collect; EXPLAIN ANALYZE shows a query"),
          Map.entry("VACUUM", "CALL loam.optimize and loam.gc do that"));

  private FirstWord() {}

  /** The error of a statement that does not parse, if its first word is what is wrong. */
  static Optional<LoamException> explained(String sql) {
    Matcher matcher = WORD.matcher(sql);
    if (!matcher.find() || STATEMENTS.contains(matcher.group(1).toUpperCase(Locale.ROOT))) {
      return Optional.empty();
    }
    String word = matcher.group(1);
    String call = CALLS.get(word.toUpperCase(Locale.ROOT));
    if (call != null) {
      return Optional.of(
          new LoamException(
              ErrorCode.UNSUPPORTED,
              "there is no such statement: begins with=" + word + "; " + call));
    }
    String advice =
        Nearest.to(word, STATEMENTS)
            .map(nearest -> "did you mean " + nearest + "?")
            .orElse("begin it with SELECT or another keyword of SQL");
    return Optional.of(
        new LoamException(
            ErrorCode.SYNTAX_ERROR,
            "statement begins with no keyword of SQL: word="
                + word
                + TextPlace.of(sql, matcher.start(1))
                + "; "
                + advice));
  }
}
