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
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** What is wrong with a statement that begins as none does. */
final class FirstWord {
  private static final Pattern NOTHING = Pattern.compile("(?s)(?:[\\s;]|--[^\\n]*|/\\*.*?\\*/)*");

  private static final Pattern WORD = Pattern.compile("[A-Za-z_]\\w*");

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
          + " transaction; the shell takes BEGIN, COMMIT and ROLLBACK";

  private static final String RIGHTS = "who may read and write is what the storage allows";

  private static final String NO_RENAMING =
      "names stay; create another table or column, and copy with INSERT or UPDATE";

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
          Map.entry("VACUUM", "CALL loam.optimize and loam.gc do that"),
          Map.entry("SET", "settings are properties of the connection, and so is its schema"),
          Map.entry("GRANT", RIGHTS),
          Map.entry("REVOKE", RIGHTS),
          Map.entry("LOCK", "rows are not locked; where two commits meet, one fails with 40001"),
          Map.entry("RENAME", NO_RENAMING),
          Map.entry("REPLACE", "write UPSERT INTO"),
          Map.entry("DESC", "write DESCRIBE and the table"),
          Map.entry("COMMENT", "comments are options of CREATE TABLE: WITH ('comment' = '…')"));

  /** What there is instead of statements that begin well, by how they begin. */
  private static final Map<Pattern, String> BEGINNINGS =
      Map.ofEntries(
          Map.entry(
              beginning("EXPLAIN\\s+(?!PLAN\\b|ANALYZE\\b)"),
              "write EXPLAIN PLAN FOR before the query, or EXPLAIN ANALYZE to run it too"),
          Map.entry(
              beginning("SHOW\\s+(?:DATABASES|SCHEMAS)\\b"),
              "getSchemas() of DatabaseMetaData lists the schemas, SHOW TABLES the tables of one"),
          Map.entry(
              beginning("SHOW\\s+(?!TABLES\\b|DATABASES\\b|SCHEMAS\\b)"),
              "write SHOW TABLES, or DESCRIBE and a table"),
          Map.entry(beginning("ALTER\\s+TABLE\\s+\\S+\\s+RENAME\\b"), NO_RENAMING),
          Map.entry(
              beginning("(?:CREATE|DROP)\\s+(?:SCHEMA|DATABASE)\\b"),
              "a schema is there as soon as a table is: CREATE TABLE with its name before the"
                  + " table's"),
          Map.entry(beginning("CREATE\\s+VIEW\\b"), "write the query in WITH, or as a subquery"),
          Map.entry(
              beginning("CREATE\\s+TABLE\\s+\\S+\\s+AS\\b"),
              "declare the columns, then write INSERT INTO and the query"),
          Map.entry(
              beginning("CREATE\\s+UNIQUE\\s+INDEX\\b"),
              "only a PRIMARY KEY keeps values unique; write CREATE INDEX"),
          Map.entry(
              beginning("ALTER\\s+TABLE\\s+\\S+\\s+ALTER\\b"),
              "columns keep their types; add another one, and copy with UPDATE"),
          Map.entry(
              beginning("INSERT\\b(?s:.*)\\bON\\s+(?:CONFLICT|DUPLICATE)\\b"),
              "write UPSERT INTO, or MERGE"));

  /** What is missing in statements that are nearly right, by how they begin. */
  private static final Map<Pattern, String> INCOMPLETE =
      Map.of(
          beginning("CREATE\\s+INDEX\\b(?!(?s:.*)\\bUSING\\b)"),
          "CREATE INDEX needs a kind, and only VECTOR columns take one; end it with USING ivf_sq for"
              + " a VECTOR, and write none for other columns",
          beginning("DROP\\s+INDEX\\b(?!(?s:.*)\\bON\\b)"),
          "DROP INDEX needs the table; end it with ON <table>",
          beginning("CALL\\s+[\\w.]+\\s*;?\\s*$"),
          "CALL needs parentheses; write them after the name, with the table's name in them",
          beginning("DELETE\\s+(?!FROM\\b)"),
          "DELETE needs FROM; write it before the table",
          beginning("INSERT\\s+(?!INTO\\b)"),
          "INSERT needs INTO; write it before the table");

  private FirstWord() {}

  private static Pattern beginning(String words) {
    return Pattern.compile(words, Pattern.CASE_INSENSITIVE);
  }

  /** What a statement, or a part of one, is called. */
  static String nameOf(SqlNode node) {
    return node.getKind() == SqlKind.OTHER_DDL && node instanceof SqlCall call
        ? call.getOperator().getName()
        : node.getKind().sql.replace('_', ' ');
  }

  /** The error of a statement that does not parse, if its first words are what is wrong. */
  static Optional<LoamException> explained(String sql) {
    Matcher nothing = NOTHING.matcher(sql);
    int start = nothing.lookingAt() ? nothing.end() : 0;
    if (start == sql.length()) {
      return Optional.of(
          new LoamException(ErrorCode.SYNTAX_ERROR, "statement is empty; write one"));
    }
    Matcher matcher = WORD.matcher(sql).region(start, sql.length());
    if (!matcher.lookingAt()) {
      return Optional.empty();
    }
    if (STATEMENTS.contains(matcher.group().toUpperCase(Locale.ROOT))) {
      return adviceOf(BEGINNINGS, sql, start)
          .map(advice -> unsupported(matcher.group(), advice))
          .or(() -> adviceOf(INCOMPLETE, sql, start).map(FirstWord::incomplete));
    }
    String word = matcher.group();
    String call = CALLS.get(word.toUpperCase(Locale.ROOT));
    if (call != null) {
      return Optional.of(unsupported(word, call));
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
                + TextPlace.of(sql, start)
                + "; "
                + advice));
  }

  private static Optional<String> adviceOf(Map<Pattern, String> advice, String sql, int start) {
    return advice.entrySet().stream()
        .filter(b -> b.getKey().matcher(sql).region(start, sql.length()).lookingAt())
        .findFirst()
        .map(Map.Entry::getValue);
  }

  private static LoamException incomplete(String problem) {
    return new LoamException(ErrorCode.SYNTAX_ERROR, "statement is incomplete: " + problem);
  }

  private static LoamException unsupported(String word, String instead) {
    return new LoamException(
        ErrorCode.UNSUPPORTED, "there is no such statement: begins with=" + word + "; " + instead);
  }
}
