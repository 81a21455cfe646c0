package io.loam.query;

/** How the results of a hybrid search's legs become one score. */
public sealed interface Fusion {
  /**
   * Reciprocal rank fusion: a leg gives 1 / (k + rank), with ranks from 1.
   *
   * @param k positive
   */
  record ReciprocalRank(double k) implements Fusion {}

  /** A leg gives its score on a scale where its least is 0 and its greatest 1. */
  record MinMax() implements Fusion {}

  /** A leg gives its score on a scale where three deviations around its mean are 0 to 1. */
  record Distribution() implements Fusion {}
}
