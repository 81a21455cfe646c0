package io.loam.text;

import java.nio.file.Path;

/** The token file of one text field of a split. */
@SuppressWarnings("DoNotCallSuggester")
public final class TokenFile {

  /** Writes a new file. */
  public static void write(TokenReader tokens, Path file) {
    throw new UnsupportedOperationException();
  }

  /**
   * Maps a token file. Damage is found when the damaged part is first used, and gives {@code
   * CORRUPT_OBJECT}.
   *
   * @param nameForErrors names the object in errors
   */
  public static TokenReader open(Path file, String nameForErrors) {
    throw new UnsupportedOperationException();
  }

  private TokenFile() {}
}
