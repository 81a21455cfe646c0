package io.loam.text;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Limits;
import java.util.List;

/**
 * Reads query strings.
 *
 * <p>{@code SIMPLE} never fails on a user's text, save for its size. White space separates words
 * and {@code "phrases"}; {@code +x} must match, {@code -x} must not, {@code x | y} is one clause
 * that either satisfies, under the operator of {@code x}, parentheses group, and {@code \} takes
 * the next character as it is. Operators inside a word, without an operand, or unbalanced mean
 * nothing. Words are alternatives, or all needed with {@code allWords}. {@code word*}, {@code
 * word~2} and {@code "phrase"~2} are read as the word or phrase alone.
 *
 * <p>Words and phrases are analysed field by field. A word that gives several tokens, such as
 * {@code foo-bar}, is a group of words; one that gives none, such as a stop word, is left out. With
 * several fields, scores of those that match are summed. A clause given twice counts once.
 */
public final class SimpleQueryParser {
  private static final double LEAST_BOOST = 1e-3;
  private static final double GREATEST_BOOST = 1e3;

  private final String query;
  private final QueryClauses clauses;
  private int at;

  private SimpleQueryParser(String query, QueryClauses clauses) {
    this.query = query;
    this.clauses = clauses;
  }

  /**
   * The query that a user's text means.
   *
   * @param allWords documents must have all words instead of any
   * @param fields at least one
   */
  public static TextQuery parse(
      String query, QuerySyntax syntax, boolean allWords, List<QueryField> fields) {
    for (QueryField field : fields) {
      if (!(field.boost() >= LEAST_BOOST && field.boost() <= GREATEST_BOOST)) {
        throw new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            "boost is out of range: boost=" + field.boost() + "; use 0.001 to 1000");
      }
    }
    QueryClauses clauses = new QueryClauses(fields, allWords);
    TextQuery parsed =
        switch (syntax) {
          case SIMPLE -> new SimpleQueryParser(query, clauses).parseGroup(0);
          case TERMS -> words(query, clauses);
          case PHRASE -> clauses.phrase(query);
        };
    QueryClauses.checkCount(parsed);
    return parsed;
  }

  private static TextQuery words(String query, QueryClauses clauses) {
    QueryClauses.Group group = clauses.group();
    for (String word : query.split("[\\s\\p{Z}]+", -1)) {
      group.addWord(word);
    }
    return group.build();
  }

  /** Reads until the parenthesis that closes the group, or the end. */
  private TextQuery parseGroup(int depth) {
    if (depth > Limits.MAX_QUERY_NESTING) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "query is nested too deeply: limit="
              + Limits.MAX_QUERY_NESTING
              + "; use fewer parentheses");
    }
    QueryClauses.Group group = clauses.group();
    while (skipTo(depth)) {
      char operator = readOperator();
      TextQuery clause = parseAlternatives(depth);
      switch (operator) {
        case '+' -> group.addMust(clause);
        case '-' -> group.addMustNot(clause);
        default -> group.add(clause);
      }
    }
    return group.build();
  }

  /** Moves to the next clause of the group; false at its end. */
  private boolean skipTo(int depth) {
    while (at < query.length()) {
      char c = query.charAt(at);
      if (c == ')' && depth > 0) {
        at++;
        return false;
      }
      if (c != ')' && c != '|' && !isSpace(c)) {
        return true;
      }
      at++;
    }
    return false;
  }

  /** The last of the operators before an operand, or a space. */
  private char readOperator() {
    char operator = ' ';
    while (at < query.length() && (query.charAt(at) == '+' || query.charAt(at) == '-')) {
      operator = query.charAt(at++);
    }
    return operator;
  }

  private TextQuery parseAlternatives(int depth) {
    TextQuery first = parseOperand(depth);
    if (!skipBar()) {
      return first;
    }
    QueryClauses.Group either = clauses.anyOf().add(first);
    do {
      readOperator();
      either.add(parseOperand(depth));
    } while (skipBar());
    return either.build();
  }

  /** Moves past a bar and white space around it; moves nowhere where there is no bar. */
  private boolean skipBar() {
    int next = skipSpace(at);
    if (next == query.length() || query.charAt(next) != '|') {
      return false;
    }
    while (next < query.length() && query.charAt(next) == '|') {
      next = skipSpace(next + 1);
    }
    at = next;
    return true;
  }

  private int skipSpace(int from) {
    int next = from;
    while (next < query.length() && isSpace(query.charAt(next))) {
      next++;
    }
    return next;
  }

  /** A word, phrase or group; nothing where none follows at once. */
  private TextQuery parseOperand(int depth) {
    if (at == query.length() || isSpace(query.charAt(at)) || query.charAt(at) == ')') {
      return new TextQuery.None();
    }
    return switch (query.charAt(at)) {
      case '|' -> new TextQuery.None();
      case '(' -> {
        at++;
        yield parseGroup(depth + 1);
      }
      case '"' -> {
        at++;
        String phrase = readUntil(c -> c == '"');
        at = Math.min(at + 1, query.length());
        skipSlop();
        yield clauses.phrase(phrase);
      }
      default ->
          clauses.word(
              withoutSuffix(
                  readUntil(c -> isSpace(c) || c == '"' || c == '(' || c == ')' || c == '|')));
    };
  }

  private interface CharTest {
    boolean test(char c);
  }

  private String readUntil(CharTest end) {
    StringBuilder text = new StringBuilder();
    while (at < query.length() && !end.test(query.charAt(at))) {
      if (query.charAt(at) == '\\' && at + 1 < query.length()) {
        at++;
      }
      text.append(query.charAt(at++));
    }
    return text.toString();
  }

  private void skipSlop() {
    if (at < query.length() && query.charAt(at) == '~') {
      do {
        at++;
      } while (at < query.length() && isDigit(query.charAt(at)));
    }
  }

  private static String withoutSuffix(String word) {
    int end = word.length();
    while (end > 0 && isDigit(word.charAt(end - 1))) {
      end--;
    }
    if (end > 1 && word.charAt(end - 1) == '~') {
      return word.substring(0, end - 1);
    }
    return word.length() > 1 && word.endsWith("*") ? word.substring(0, word.length() - 1) : word;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isSpace(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }
}
