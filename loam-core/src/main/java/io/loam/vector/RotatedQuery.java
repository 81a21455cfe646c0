package io.loam.vector;

/**
 * What all leaves' codes are compared with: the query, rotated and quantised to four bits a
 * component, so that a sum over a code's set bits is four population counts a word. A component is
 * about {@code low + step * level}.
 */
final class RotatedQuery {
  static final int BITS = 4;
  private static final int LEVELS = (1 << BITS) - 1;

  /** The two lower bits of a level. */
  private static final int LOW = 3;

  private final VectorQuery query;
  private final long[] planes;
  private final float low;
  private final float step;
  private final float sum;
  private final double squaredNorm;
  private final float meanOfLow;
  private final float deviationOfLow;

  RotatedQuery(VectorQuery query) {
    this.query = query;
    int dimension = query.vector().length;
    this.planes = new long[VectorCodes.words(dimension) * BITS];
    this.squaredNorm = ExactKernel.squaredNorm(query.vector(), 0, dimension);
    float[] rotated = query.vector().clone();
    new Rotation(dimension, VectorCodes.SEED).apply(rotated);
    float min = Float.POSITIVE_INFINITY;
    float max = Float.NEGATIVE_INFINITY;
    double total = 0;
    for (float q : rotated) {
      min = Math.min(min, q);
      max = Math.max(max, q);
      total += q;
    }
    this.low = min;
    this.step = (max - min) / LEVELS;
    this.sum = (float) total;
    long lows = 0;
    long squares = 0;
    for (int i = 0; i < dimension; i++) {
      long level = step == 0 ? 0 : Math.round((rotated[i] - low) / step);
      for (int bit = 0; bit < BITS; bit++) {
        planes[(i >>> 6) * BITS + bit] |= (level >>> bit & 1) << i;
      }
      lows += level & LOW;
      squares += (level & LOW) * (level & LOW);
    }
    double mean = lows / (double) dimension;
    this.meanOfLow = (float) mean;
    this.deviationOfLow = (float) Math.sqrt(squares / (double) dimension - mean * mean);
  }

  float[] vector() {
    return query.vector();
  }

  Metric metric() {
    return query.metric();
  }

  /** By word and bit of a component's level: {@code planes[word * BITS + bit]}. */
  long[] planes() {
    return planes;
  }

  float low() {
    return low;
  }

  float step() {
    return step;
  }

  /** Of all components. */
  float sum() {
    return sum;
  }

  double squaredNorm() {
    return squaredNorm;
  }

  /** Standard deviation of what quantising adds to a sum over all components. */
  float quantisation() {
    return (float) (step * Math.sqrt(query.vector().length / 12.0));
  }

  /** The mean of the two lower bits of all components' levels. */
  float meanOfLow() {
    return meanOfLow;
  }

  /**
   * Standard deviation of what the lower bits add to twice the sum over a code's set bits, about
   * half of all, when {@link #meanOfLow} stands for each of them.
   */
  float coarseDeviation() {
    return (float) (2 * step * deviationOfLow * Math.sqrt(query.vector().length / 2.0));
  }
}
