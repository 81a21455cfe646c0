package io.loam.sparse;

import java.nio.file.Path;

/** The inverted lists of one sparse field of one split, as a file. */
@SuppressWarnings("DoNotCallSuggester")
public final class SparseFile {
  private SparseFile() {}

  /** Writes a file that must not exist yet; it is not forced to disk. */
  public static void write(SparseIndex index, Path file) {
    throw new UnsupportedOperationException();
  }

  /**
   * Maps the file; lists are checked before their first use. The mapping goes with the index, which
   * needs no close. {@code nameForErrors} is the object's name in errors.
   */
  public static SparseIndex open(Path file, String nameForErrors) {
    throw new UnsupportedOperationException();
  }
}
