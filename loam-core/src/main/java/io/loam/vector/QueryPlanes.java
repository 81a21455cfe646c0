package io.loam.vector;

/**
 * A rotated query, quantised to four bits a component, so that a sum over the set bits of a code of
 * {@link VectorCodes} is four population counts a word.
 */
final class QueryPlanes {
  /**
   * How many standard deviations a dot product may exceed its estimate before its document is
   * missed.
   */
  private static final float MARGIN = 2;

  private static final int BITS = 4;
  private static final int LEVELS = (1 << BITS) - 1;

  private final int words;

  /** By word and bit of a component's level: {@code planes[word * BITS + bit]}. */
  private final long[] planes;

  private final float low;
  private final float step;
  private final float sum;
  private final float norm;

  /** Standard deviation of what quantising the query adds to a sum over all components. */
  private final float quantisation;

  /**
   * @param norm the query's length
   */
  QueryPlanes(float[] query, float norm) {
    int dimension = query.length;
    this.words = VectorCodes.words(dimension);
    this.planes = new long[words * BITS];
    this.norm = norm;
    float[] rotated = query.clone();
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
    this.quantisation = (float) (step * Math.sqrt(dimension / 12.0));
    for (int i = 0; i < dimension; i++) {
      long level = step == 0 ? 0 : Math.round((rotated[i] - low) / step);
      for (int bit = 0; bit < BITS; bit++) {
        planes[(i >>> 6) * BITS + bit] |= (level >>> bit & 1) << i;
      }
    }
  }

  /** Words that a code's bits take. */
  int words() {
    return words;
  }

  /**
   * The estimated dot product with the vector whose record starts at {@code at}; NaN where there is
   * none.
   *
   * @param centroidDot the dot product with what was taken from the vector
   */
  float dot(long[] records, int at, float centroidDot) {
    float factor = VectorCodes.high(records[at + words]);
    float setBits = VectorCodes.low(records[at + words + 1]);
    return centroidDot + factor * (2 * (low * setBits + step * levels(records, at)) - sum);
  }

  /** How far the dot product may be from its estimate. */
  float spread(long[] records, int at) {
    long pair = records[at + words];
    return MARGIN * (norm * VectorCodes.low(pair) + quantisation * VectorCodes.high(pair));
  }

  float squaredNorm(long[] records, int at) {
    return VectorCodes.high(records[at + words + 1]);
  }

  /** The sum of the query's levels over the set bits of a code. */
  private int levels(long[] records, int at) {
    int s0 = 0;
    int s1 = 0;
    int s2 = 0;
    int s3 = 0;
    for (int word = 0, plane = 0; word < words; word++, plane += BITS) {
      long bits = records[at + word];
      s0 += Long.bitCount(bits & planes[plane]);
      s1 += Long.bitCount(bits & planes[plane + 1]);
      s2 += Long.bitCount(bits & planes[plane + 2]);
      s3 += Long.bitCount(bits & planes[plane + 3]);
    }
    return s0 + 2 * s1 + 4 * s2 + 8 * s3;
  }
}
