package io.loam.jdbc;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** What can be told of SQL without parsing it: quotes and comments are passed over. */
public final class SqlText {
  private SqlText() {}

  /** Whether there is a parameter, a {@code ?}. */
  public static boolean hasParameter(String sql) {
    return find(sql, 0, c -> c == '?') >= 0;
  }

  /** The statements between semicolons, without these; none is blank. */
  public static List<String> statements(String text) {
    List<String> statements = new ArrayList<>();
    int start = 0;
    while (start <= text.length()) {
      int end = find(text, start, c -> c == ';');
      String statement = text.substring(start, end < 0 ? text.length() : end).strip();
      if (find(statement, 0, c -> !Character.isWhitespace(c)) >= 0) {
        statements.add(statement);
      }
      start = end < 0 ? text.length() + 1 : end + 1;
    }
    return statements;
  }

  /**
   * The one statement of a text, without the semicolons, blanks and comments behind it.
   *
   * @throws LoamException where another statement follows
   */
  public static String single(String sql) {
    int end = find(sql, 0, c -> c == ';');
    int next = end < 0 ? -1 : find(sql, end, c -> c != ';' && !Character.isWhitespace(c));
    if (next >= 0 && find(sql.substring(0, end), 0, c -> !Character.isWhitespace(c)) >= 0) {
      String before = sql.substring(0, next);
      throw new LoamException(
          ErrorCode.SYNTAX_ERROR,
          "several statements: the second begins at line="
              + (1 + before.chars().filter(c -> c == '\n').count())
              + ", column="
              + (next - before.lastIndexOf('\n'))
              + "; run them one by one, or in a batch");
    }
    return end < 0 || next >= 0 ? sql : sql.substring(0, end);
  }

  /** The first such character from a place on that is in no quotes and in no comment, or -1. */
  private static int find(String sql, int from, IntPredicate wanted) {
    int place = from;
    while (place < sql.length()) {
      int end = end(sql, place);
      if (end > place) {
        if (isQuote(sql.charAt(place)) && wanted.test(sql.charAt(place))) {
          return place;
        }
        place = end;
      } else if (wanted.test(sql.charAt(place))) {
        return place;
      } else {
        place++;
      }
    }
    return -1;
  }

  private static boolean isQuote(char c) {
    return c == '\'' || c == '"';
  }

  /** Where the quotes or the comment that begins at a place ends; the place itself for others. */
  private static int end(String sql, int place) {
    char c = sql.charAt(place);
    if (isQuote(c)) {
      return after(sql, String.valueOf(c), place + 1);
    }
    if (sql.startsWith("--", place) || sql.startsWith("//", place)) {
      return after(sql, "\n", place);
    }
    return sql.startsWith("/*", place) ? after(sql, "*/", place + 2) : place;
  }

  private static int after(String sql, String end, int from) {
    int found = sql.indexOf(end, from);
    return found < 0 ? sql.length() : found + end.length();
  }
}
