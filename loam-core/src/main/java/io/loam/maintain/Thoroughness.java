package io.loam.maintain;

/**
 * When work is worth doing.
 *
 * @param leastGroup how many small inputs are merged at least
 * @param leastDeleted how many deleted rows are worth the rewriting of an input alone
 * @param leastTailCommits how many small commits are worth folding, or
 * @param leastTailRows how many rows of them, or
 * @param leastTailBytes how many bytes
 */
record Thoroughness(
    int leastGroup,
    int leastDeleted,
    int leastTailCommits,
    int leastTailRows,
    long leastTailBytes) {
  /** For somebody who asked for it: all that makes reading faster. */
  static final Thoroughness FULL = new Thoroughness(2, 1, 1, 1, 1);

  /** For work that nobody asked for: what saves more than it costs. */
  static final Thoroughness BACKGROUND = new Thoroughness(8, 1_000, 16, 2_500, 8L << 20);
}
