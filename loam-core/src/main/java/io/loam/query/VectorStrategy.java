package io.loam.query;

/**
 * How a search for the nearest vectors finds which of them to compare.
 *
 * @param way how
 * @param why what speaks for it, or for an index its name and what it covers
 */
public record VectorStrategy(Way way, String why) {
  /** What chooses the vectors that are compared. */
  public enum Way {
    /** The lists of an index; codes where rows are not in it. */
    INDEX,
    /** Codes of all allowed rows. */
    CODES,
    /** Nothing: all allowed rows are compared. */
    EXACT
  }

  /** As EXPLAIN shows it. */
  @Override
  public String toString() {
    return switch (way) {
      case INDEX -> "index " + why;
      case CODES -> "codes (" + why + ")";
      case EXACT -> "exact (" + why + ")";
    };
  }
}
