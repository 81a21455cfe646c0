package io.loam.calcite.parser;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.parser.SqlParserUtil;
import org.jspecify.annotations.Nullable;

/** How literals are read. */
public final class Literals {
  private Literals() {}

  /** The character set that a text names before its quote; null for {@code N'…'}, as for none. */
  public static @Nullable String characterSet(String image) {
    return image.toUpperCase(Locale.ROOT).startsWith("N")
        ? null
        : SqlParserUtil.getCharacterSet(image);
  }

  /**
   * A text with its escapes, of four digits or of a plus and six, as the characters that they stand
   * for.
   *
   * @param escape 0 where the text has none
   */
  public static SqlLiteral unescaped(SqlLiteral text, char escape) {
    if (escape == 0) {
      return text;
    }
    String mark = Pattern.quote(String.valueOf(escape));
    Matcher escapes =
        Pattern.compile(mark + "(?:(" + mark + ")|\\+(\\p{XDigit}{6})|(\\p{XDigit}{4})|)")
            .matcher(text.getValueAs(String.class));
    return SqlLiteral.createCharString(
        escapes.replaceAll(found -> Matcher.quoteReplacement(character(found, text))),
        text.getParserPosition());
  }

  private static String character(MatchResult escape, SqlLiteral text) {
    if (escape.group(1) != null) {
      return escape.group(1);
    }
    String digits = escape.group(2) == null ? escape.group(3) : escape.group(2);
    int codePoint = digits == null ? -1 : Integer.parseInt(digits, 16);
    if (!Character.isValidCodePoint(codePoint)) {
      throw new LoamException(
          ErrorCode.SYNTAX_ERROR,
          "escape in Unicode text is no character: place="
              + escape.start()
              + ", line="
              + text.getParserPosition().getLineNum()
              + ", column="
              + text.getParserPosition().getColumnNum()
              + "; write 4 hexadecimal digits, + and 6 of them, or the escape twice");
    }
    return Character.toString(codePoint);
  }
}
