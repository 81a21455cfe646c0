package io.loam.bench;

import java.util.Arrays;

/** Keeps the rows with the k greatest scores, as a plain program would. */
final class TopScores {
  private final long[] ids;
  private final double[] scores;
  private int found;

  TopScores(int k) {
    ids = new long[k];
    scores = new double[k];
  }

  /** A score that is not greater does not get in. */
  double least() {
    return found < scores.length ? Double.NEGATIVE_INFINITY : scores[found - 1];
  }

  void offer(long id, double score) {
    if (score <= least()) {
      return;
    }
    int at = found < ids.length ? found++ : found - 1;
    while (at > 0 && scores[at - 1] < score) {
      scores[at] = scores[at - 1];
      ids[at] = ids[at - 1];
      at--;
    }
    scores[at] = score;
    ids[at] = id;
  }

  /** Best first. */
  long[] ids() {
    return Arrays.copyOf(ids, found);
  }
}
