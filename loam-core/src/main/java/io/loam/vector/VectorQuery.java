package io.loam.vector;

/**
 * A vector whose nearest are wanted.
 *
 * @param vector finite; not copied, not to be changed
 * @param maxDistance no vector that is farther away is given; infinite for all
 */
public record VectorQuery(float[] vector, Metric metric, double maxDistance, Precision precision) {

  /** Whether a document may be missed. */
  public enum Precision {
    /** None is. */
    EXACT,
    /** One may be, if that makes the search faster. */
    APPROXIMATE
  }

  /** An exact query without a greatest distance. */
  public VectorQuery(float[] vector, Metric metric) {
    this(vector, metric, Double.POSITIVE_INFINITY, Precision.EXACT);
  }
}
