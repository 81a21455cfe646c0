package io.loam.vector;

/**
 * A vector whose nearest are wanted.
 *
 * @param vector finite; not copied, not to be changed
 * @param maxDistance no vector that is farther away is given; infinite for all
 */
public record VectorQuery(
    float[] vector, Metric metric, double maxDistance, Ranking ranking, Precision precision) {

  /** By what vectors are ranked. */
  public enum Ranking {
    /** {@link VectorScores#score}, which is the score of a hit. */
    SCORE,
    /** {@link VectorScores#distance}; the score of a hit is the distance less than 0. */
    DISTANCE
  }

  /** Whether a document may be missed. */
  public enum Precision {
    /** None is. */
    EXACT,
    /** One may be, if that makes the search faster; only where scores rank. */
    APPROXIMATE
  }

  /** An exact query ranked by score, however far. */
  public static VectorQuery byScore(float[] vector, Metric metric) {
    return new VectorQuery(
        vector, metric, Double.POSITIVE_INFINITY, Ranking.SCORE, Precision.EXACT);
  }

  /** An exact query ranked by distance, however far. */
  public static VectorQuery byDistance(float[] vector, Metric metric) {
    return new VectorQuery(
        vector, metric, Double.POSITIVE_INFINITY, Ranking.DISTANCE, Precision.EXACT);
  }
}
