package io.loam.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * How tokens are written in a Tantivy field whose {@code whitespace} tokenizer splits at white
 * space, lowercases, and drops very long tokens: so that each encoded token comes out of it as it
 * went in.
 *
 * <p>A code point outside the ranges below becomes {@code \hex;}, and a token whose encoded form
 * passes {@value #MAX_BYTES} bytes becomes {@code \#} and the first 16 bytes of its SHA-256 in hex.
 * The ranges are fixed, not asked of the JVM, whose knowledge of letter case grows with its
 * version: they hold neither white space nor control characters nor a character that has a lower
 * case.
 */
final class TokenEncoding {
  private static final int MAX_BYTES = 200;

  /** First and last code points that stand for themselves: lower-case or caseless scripts. */
  private static final int[] PLAIN = {
    0x00DF, 0x00FF, // Latin
    0x03AC, 0x03CE, // Greek
    0x0430, 0x045F, // Cyrillic
    0x05D0, 0x05EA, // Hebrew
    0x0620, 0x064A, // Arabic
    0x0900, 0x0DFF, // Indic scripts
    0x0E01, 0x0E3A, // Thai
    0x0E40, 0x0E5B,
    0x3041, 0x30FF, // Kana
    0x3400, 0x4DBF, // CJK ideographs
    0x4E00, 0x9FFF,
    0xAC00, 0xD7A3, // Hangul
  };

  static String encode(String token) {
    int plain = plainAscii(token);
    if (plain == token.length() && plain <= MAX_BYTES) {
      return token;
    }
    StringBuilder out = new StringBuilder(token.length() + 16);
    int bytes = 0;
    for (int i = 0; i < token.length() && bytes <= MAX_BYTES; ) {
      int codePoint = token.codePointAt(i);
      i += Character.charCount(codePoint);
      if (isPlain(codePoint)) {
        out.append((char) codePoint);
        bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : 3;
      } else {
        String hex = Integer.toHexString(codePoint);
        out.append('\\').append(hex).append(';');
        bytes += hex.length() + 2;
      }
    }
    return bytes <= MAX_BYTES ? out.toString() : hash(token);
  }

  private static int plainAscii(String token) {
    int i = 0;
    while (i < token.length() && isPlainAscii(token.charAt(i))) {
      i++;
    }
    return i;
  }

  private static boolean isPlainAscii(int c) {
    return c > ' ' && c < 0x7F && c != '\\' && (c < 'A' || c > 'Z');
  }

  private static boolean isPlain(int codePoint) {
    if (codePoint < 0x80) {
      return isPlainAscii(codePoint);
    }
    for (int i = 0; i < PLAIN.length; i += 2) {
      if (codePoint <= PLAIN[i + 1]) {
        return codePoint >= PLAIN[i];
      }
    }
    return false;
  }

  private static String hash(String token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return "\\#" + HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }

  private TokenEncoding() {}
}
