package io.loam.bench;

import java.util.function.LongPredicate;

/** The plain loop over arrays that a program without any library would write. */
final class VectorLoop {
  static final String NAME = "Java loop";

  private final float[][] rows;

  VectorLoop(float[][] rows) {
    this.rows = rows;
  }

  /** The places of the rows with the greatest dot products. */
  long[] nearest(float[] query, int k, LongPredicate allowed) {
    TopScores top = new TopScores(k);
    for (int row = 0; row < rows.length; row++) {
      if (allowed.test(row)) {
        top.offer(row, dot(query, rows[row]));
      }
    }
    return top.ids();
  }

  private static float dot(float[] a, float[] b) {
    float sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
