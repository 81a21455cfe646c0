package io.loam.vector;

/**
 * A vector whose nearest are wanted.
 *
 * @param vector finite; not copied, not to be changed
 * @param maxDistance no vector that is farther away is given; infinite for all
 */
public record VectorQuery(
    float[] vector, Metric metric, double maxDistance, Precision precision, Ranking ranking) {

  /** Whether a document may be missed. */
  public enum Precision {
    /** None is. */
    EXACT,
    /** One may be, if that makes the search faster. */
    APPROXIMATE
  }

  /** By what vectors are ranked. */
  public enum Ranking {
    /** {@link VectorScores#score}, which is the score of a hit. */
    SCORE,
    /** {@link VectorScores#distance}; the score of a hit is the distance less than 0. */
    DISTANCE
  }

  /** A query ranked by score. */
  public VectorQuery(float[] vector, Metric metric, double maxDistance, Precision precision) {
    this(vector, metric, maxDistance, precision, Ranking.SCORE);
  }

  /** An exact query without a greatest distance. */
  public VectorQuery(float[] vector, Metric metric) {
    this(vector, metric, Double.POSITIVE_INFINITY, Precision.EXACT);
  }

  /** An exact query ranked by distance, however far. */
  public static VectorQuery byDistance(float[] vector, Metric metric) {
    return new VectorQuery(
        vector, metric, Double.POSITIVE_INFINITY, Precision.EXACT, Ranking.DISTANCE);
  }
}
