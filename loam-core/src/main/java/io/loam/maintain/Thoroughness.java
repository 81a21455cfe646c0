package io.loam.maintain;

/**
 * When work is worth doing.
 *
 * @param leastGroup how many small inputs are merged at least
 * @param leastDeleted how many deleted rows are worth the rewriting of an input alone
 */
record Thoroughness(int leastGroup, int leastDeleted) {
  /** For somebody who asked for it: all that makes reading faster. */
  static final Thoroughness FULL = new Thoroughness(2, 1);

  /** For work that nobody asked for: what saves more than it costs. */
  static final Thoroughness BACKGROUND = new Thoroughness(8, 1_000);
}
