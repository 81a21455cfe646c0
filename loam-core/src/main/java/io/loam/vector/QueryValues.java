package io.loam.vector;

import java.util.Arrays;

/**
 * Scores of one query as <em>values</em>, which grow with the score and are cheap to estimate: the
 * dot product; for cosine divided by the vector's length; for l2 2·q·v − |v|².
 */
final class QueryValues {
  /** Makes up for rounding in a product of floats. */
  private static final float ALMOST = 0.99999f;

  private final Metric metric;
  private final double squaredNorm;
  private final float norm;

  QueryValues(VectorQuery query) {
    this.metric = query.metric();
    this.squaredNorm = ExactKernel.squaredNorm(query.vector(), 0, query.vector().length);
    this.norm = (float) Math.sqrt(squaredNorm);
  }

  /** The query's length. */
  float norm() {
    return norm;
  }

  /** The value of a score; rounding never rules out what has just this score. */
  float ofScore(double score) {
    if (score == Double.NEGATIVE_INFINITY) {
      return Float.NEGATIVE_INFINITY;
    }
    double value =
        switch (metric) {
          case COSINE -> score * norm;
          case L2 -> squaredNorm + 1 - 1 / score;
          case DOT -> score;
        };
    return Math.nextDown((float) value);
  }

  float ofDot(float dot, float squaredNormOfVector) {
    return switch (metric) {
      case COSINE -> squaredNormOfVector == 0 ? 0 : dot / (float) Math.sqrt(squaredNormOfVector);
      case L2 -> 2 * dot - squaredNormOfVector;
      case DOT -> dot;
    };
  }

  /**
   * Of dot products, numbers that are not negative for those that have a value of at least {@code
   * threshold}, or almost: without the root and the quotient of {@link #ofDot}. NaN says nothing.
   */
  void margins(float threshold, float[] dots, float[] squaredNorms, float[] margins) {
    switch (metric) {
      case COSINE -> {
        if (!(threshold > 0)) {
          Arrays.fill(margins, 0);
          return;
        }
        float square = threshold * threshold * ALMOST;
        for (int i = 0; i < margins.length; i++) {
          margins[i] = dots[i] * Math.abs(dots[i]) - square * squaredNorms[i];
        }
      }
      case L2 -> {
        for (int i = 0; i < margins.length; i++) {
          margins[i] = 2 * dots[i] - squaredNorms[i] - threshold;
        }
      }
      case DOT -> {
        for (int i = 0; i < margins.length; i++) {
          margins[i] = dots[i] - threshold;
        }
      }
    }
  }
}
