package io.loam.column;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of SQL LIKE: {@code %} stands for any run of characters, {@code _} for one code point.
 */
final class LikePattern {
  private static final int MANY = -1;
  private static final int ONE = -2;

  /** Code points, and the marks above for wildcards. */
  private final int[] pattern;

  private final String prefix;

  /** What stands before, between and after the %; null if there is a _. */
  private final String @Nullable [] literals;

  private LikePattern(int[] pattern) {
    this.pattern = pattern;
    int end = 0;
    while (end < pattern.length && pattern[end] >= 0) {
      end++;
    }
    this.prefix = new String(pattern, 0, end);
    this.literals = literals(pattern);
  }

  private static String @Nullable [] literals(int[] pattern) {
    List<String> literals = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= pattern.length; i++) {
      if (i == pattern.length || pattern[i] == MANY) {
        literals.add(new String(pattern, start, i - start));
        start = i + 1;
      } else if (pattern[i] == ONE) {
        return null;
      }
    }
    return literals.toArray(new String[0]);
  }

  /** Fails where the escape character (0 for none) does not stand before %, _ or itself. */
  static LikePattern of(String like, char escape) {
    int[] chars = like.codePoints().toArray();
    int[] pattern = new int[chars.length];
    int size = 0;
    for (int i = 0; i < chars.length; i++) {
      int c = chars[i];
      if (escape != 0 && c == escape) {
        i++;
        if (i == chars.length || (chars[i] != '%' && chars[i] != '_' && chars[i] != escape)) {
          throw new LoamException(
              ErrorCode.INVALID_ARGUMENT,
              "escape in LIKE pattern escapes nothing: pattern="
                  + like
                  + ", escape="
                  + escape
                  + "; put it before %, _ or itself");
        }
        pattern[size++] = chars[i];
      } else {
        pattern[size++] = c == '%' ? MANY : c == '_' ? ONE : c;
      }
    }
    return new LikePattern(Arrays.copyOf(pattern, size));
  }

  /** The text that all matches start with. */
  String prefix() {
    return prefix;
  }

  /** Whether every text that starts with the prefix matches. */
  boolean isPrefixOnly() {
    int rest = pattern.length - prefix.codePointCount(0, prefix.length());
    return rest == 1 && pattern[pattern.length - 1] == MANY;
  }

  boolean isLiteral() {
    return pattern.length == prefix.codePointCount(0, prefix.length());
  }

  boolean matches(String text) {
    return literals == null ? matchesCodePoints(text) : matchesLiterals(text, literals);
  }

  /** The first at the start, the last at the end, and between them each as early as possible. */
  private static boolean matchesLiterals(String text, String[] literals) {
    String first = literals[0];
    String last = literals[literals.length - 1];
    if (literals.length == 1) {
      return text.equals(first);
    }
    int end = text.length() - last.length();
    if (!text.startsWith(first) || end < first.length() || !text.endsWith(last)) {
      return false;
    }
    int from = first.length();
    for (int i = 1; i < literals.length - 1; i++) {
      int found = text.indexOf(literals[i], from);
      from = found + literals[i].length();
      if (found < 0 || from > end) {
        return false;
      }
    }
    return true;
  }

  /** Greedy matching that goes back to the last %; earlier ones need never be tried again. */
  private boolean matchesCodePoints(String text) {
    int t = 0;
    int p = 0;
    int retryPattern = -1;
    int retryText = 0;
    while (t < text.length()) {
      int c = text.codePointAt(t);
      if (p < pattern.length && pattern[p] == MANY) {
        retryPattern = ++p;
        retryText = t;
      } else if (p < pattern.length && (pattern[p] == ONE || pattern[p] == c)) {
        p++;
        t += Character.charCount(c);
      } else if (retryPattern >= 0) {
        p = retryPattern;
        retryText += Character.charCount(text.codePointAt(retryText));
        t = retryText;
      } else {
        return false;
      }
    }
    while (p < pattern.length && pattern[p] == MANY) {
      p++;
    }
    return p == pattern.length;
  }
}
