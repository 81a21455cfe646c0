package io.loam.column;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Arrays;

/**
 * A pattern of SQL LIKE: {@code %} stands for any run of characters, {@code _} for one code point.
 */
final class LikePattern {
  private static final int MANY = -1;
  private static final int ONE = -2;

  /** Code points, and the marks above for wildcards. */
  private final int[] pattern;

  private final String prefix;

  private LikePattern(int[] pattern) {
    this.pattern = pattern;
    int end = 0;
    while (end < pattern.length && pattern[end] >= 0) {
      end++;
    }
    this.prefix = new String(pattern, 0, end);
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

  /** Greedy matching that goes back to the last %; earlier ones need never be tried again. */
  boolean matches(String text) {
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
