package io.loam.schema;

import java.util.UUID;

/** UUIDs as texts of 8-4-4-4-12 hexadecimal digits. */
public final class UuidText {
  private static final int CHARS = 36;

  private UuidText() {}

  /**
   * The UUID of a text in any letter case. {@link UUID#fromString} also takes groups of other
   * lengths.
   *
   * @throws IllegalArgumentException for any other form
   */
  public static UUID parse(String text) {
    if (text.length() == CHARS) {
      UUID uuid = UUID.fromString(text);
      if (uuid.toString().equalsIgnoreCase(text)) {
        return uuid;
      }
    }
    throw new IllegalArgumentException("write 8-4-4-4-12 hexadecimal digits");
  }
}
