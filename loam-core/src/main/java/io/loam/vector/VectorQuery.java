package io.loam.vector;

/**
 * A vector whose nearest are wanted.
 *
 * @param vector finite; not copied, not to be changed
 * @param maxDistance no vector that is farther away is given; infinite for all
 */
public record VectorQuery(
    float[] vector, Metric metric, double maxDistance, Precision precision, Ranking ranking) {

  /**
   * How hard to look.
   *
   * @param exact whether no document may be missed; then nothing else matters
   * @param probes lists that are looked at in a segment of an index; 0 for as many as it says
   * @param refine for each of the k wanted, so many documents are compared though short codes rule
   *     them out; 0 for as many as the kind of code needs
   */
  public record Precision(boolean exact, int probes, int refine) {
    public static final Precision EXACT = new Precision(true, 0, 0);

    /** Documents may be missed, if that makes the search faster. */
    public static final Precision APPROXIMATE = new Precision(false, 0, 0);

    /**
     * How many of {@code rows}, the best by their codes, are compared at least.
     *
     * @param usual what they are where the query says nothing
     */
    int kept(int k, int usual, long rows) {
      return (int) Math.min(rows, refine > 0 ? (long) refine * k : usual);
    }
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

  /** Whether codes can be compared with it; otherwise a search has to be exact. */
  public boolean suitsCodes() {
    double squaredNorm = ExactKernel.squaredNorm(vector, 0, vector.length);
    return squaredNorm > 0 && CodeRange.holds(squaredNorm);
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
