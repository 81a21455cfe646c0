package io.loam.vector;

/**
 * Scores and distances of a pair of vectors, from the sums of {@link ExactKernel} in 64-bit floats:
 *
 * <ul>
 *   <li>cosine: similarity c = dot / √(|q|² · |v|²), cut to −1…1, or 0 where |q|² · |v|² is 0;
 *       score c, distance 1 − c
 *   <li>l2: d² = Σ (q − v)²; score 1 / (1 + d²), distance √d²
 *   <li>dot: score dot, distance 0 − dot
 * </ul>
 *
 * Neither is ever −0.0. A distance is computed from the vectors, never from a score: 1 / (1 + d²)
 * keeps only about 16 digits of 1 + d².
 */
public final class VectorScores {
  private VectorScores() {}

  /** The score of the vector at {@code data[offset]}. */
  public static double score(
      Metric metric, float[] query, float[] data, int offset, int dimension) {
    return switch (metric) {
      case COSINE -> cosine(query, data, offset, dimension);
      case L2 -> l2Score(ExactKernel.squaredDistance(query, data, offset, dimension));
      case DOT -> ExactKernel.dot(query, data, offset, dimension) + 0.0;
    };
  }

  /** The distance of the vector at {@code data[offset]}. */
  public static double distance(
      Metric metric, float[] query, float[] data, int offset, int dimension) {
    return switch (metric) {
      case COSINE -> 1 - cosine(query, data, offset, dimension);
      case L2 -> Math.sqrt(ExactKernel.squaredDistance(query, data, offset, dimension));
      case DOT -> 0.0 - ExactKernel.dot(query, data, offset, dimension);
    };
  }

  static double l2Score(double squaredDistance) {
    return 1 / (1 + squaredDistance);
  }

  static double cosine(double dot, double querySquaredNorm, double squaredNorm) {
    double product = querySquaredNorm * squaredNorm;
    if (product == 0) {
      return 0;
    }
    return Math.max(-1, Math.min(1, dot / Math.sqrt(product))) + 0.0;
  }

  private static double cosine(float[] query, float[] data, int offset, int dimension) {
    return cosine(
        ExactKernel.dot(query, data, offset, dimension),
        ExactKernel.squaredNorm(query, 0, dimension),
        ExactKernel.squaredNorm(data, offset, dimension));
  }
}
