package io.loam.manifest;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Names of schemas and collections as parts of object paths. */
final class PathName {
  private static final int MAX_BYTES = 200;

  private PathName() {}

  /**
   * The name folded as {@link String#equalsIgnoreCase} compares, with all but {@code a-z 0-9 _ -}
   * as percent and two hexadecimal digits per UTF-8 byte. Fails with {@code INVALID_ARGUMENT} for
   * an empty name, {@code INVALID_TEXT} for one that is not Unicode, and {@code LIMIT_EXCEEDED}
   * past 200 bytes.
   */
  static String encode(String name) {
    if (name.isEmpty()) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT, "empty name of a schema or collection; give it a name");
    }
    StringBuilder encoded = new StringBuilder();
    ByteBuffer utf8 = utf8(name);
    while (utf8.hasRemaining()) {
      int b = Byte.toUnsignedInt(utf8.get());
      if ((b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '_' || b == '-') {
        encoded.append((char) b);
      } else {
        encoded.append("%%%02x".formatted(b));
      }
    }
    if (encoded.length() > MAX_BYTES) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "name too long: name=%s, encodedBytes=%d, limit=%d; use a shorter name"
              .formatted(name, encoded.length(), MAX_BYTES));
    }
    return encoded.toString();
  }

  private static ByteBuffer utf8(String name) {
    int[] folded =
        name.codePoints().map(c -> Character.toLowerCase(Character.toUpperCase(c))).toArray();
    String text = new String(folded, 0, folded.length);
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new LoamException(
          ErrorCode.INVALID_TEXT,
          "name is not Unicode, it has half a surrogate pair: name=" + name + "; use another name",
          e);
    }
  }
}
