package io.loam.text;

import io.loam.schema.Limits;

/**
 * Reads the {@code SIMPLE} syntax, which never fails on a user's text, save for its size. White
 * space separates words and {@code "phrases"}; {@code +x} must match, {@code -x} must not, {@code x
 * | y} is one clause that either satisfies, under the operator of {@code x}, parentheses group, and
 * {@code \} takes the next character as it is. {@code word*} is all words with that start, {@code
 * word~1} all words that differ by one letter at most, {@code "a phrase"~3} a phrase whose words
 * may be up to three places away. Operators inside a word, without an operand, or unbalanced mean
 * nothing, nor do parentheses within too many others. Words are alternatives, or all needed with
 * {@code allWords}.
 */
final class SimpleQueryParser {
  private static final int MAX_SLOP = 1_000_000;

  private final String query;
  private final QueryClauses clauses;
  private int at;

  SimpleQueryParser(String query, QueryClauses clauses) {
    this.query = query;
    this.clauses = clauses;
  }

  TextQuery parse() {
    return parseGroup(0);
  }

  /** Reads until the parenthesis that closes the group, or the end. */
  private TextQuery parseGroup(int depth) {
    QueryClauses.Group group = depth == 0 ? clauses.outermost() : clauses.group();
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
    while (depth == Limits.MAX_QUERY_NESTING && at < query.length() && query.charAt(at) == '(') {
      at++;
    }
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
        yield clauses.phrase(phrase, readTilde(0));
      }
      default -> parseWord();
    };
  }

  private TextQuery parseWord() {
    String word = readUntil(this::endsWord);
    int edits = readTilde(TermPattern.MAX_EDITS);
    if (edits > 0 && !word.isEmpty()) {
      return clauses.pattern(TermPattern.Kind.FUZZY, word, edits);
    }
    // An escaped star is part of the word.
    int end = word.length();
    for (int i = at - 1; end > 0 && query.charAt(i) == '*' && !isEscaped(i); i--) {
      end--;
    }
    return end > 0 && end < word.length()
        ? clauses.pattern(TermPattern.Kind.PREFIX, word.substring(0, end), 0)
        : clauses.word(word);
  }

  private boolean endsWord(char c) {
    return isSpace(c) || c == '"' || c == '(' || c == ')' || c == '|' || (c == '~' && isSuffix());
  }

  /** Whether the tilde at hand, with a number or without, is the last of a word. */
  private boolean isSuffix() {
    int end = at + 1;
    while (end < query.length() && isDigit(query.charAt(end))) {
      end++;
    }
    return end == query.length() || (query.charAt(end) != '~' && endsWord(query.charAt(end)));
  }

  private boolean isEscaped(int place) {
    int first = place;
    while (first > 0 && query.charAt(first - 1) == '\\') {
      first--;
    }
    return (place - first) % 2 == 1;
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

  /** The number after a tilde: {@code bare} where it has none, 0 where there is no tilde. */
  private int readTilde(int bare) {
    if (at == query.length() || query.charAt(at) != '~') {
      return 0;
    }
    int start = ++at;
    long number = 0;
    while (at < query.length() && isDigit(query.charAt(at))) {
      number = Math.min(MAX_SLOP, 10 * number + query.charAt(at++) - '0');
    }
    return at == start ? bare : (int) number;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isSpace(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }
}
