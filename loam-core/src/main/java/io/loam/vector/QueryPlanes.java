package io.loam.vector;

import java.util.Arrays;

/**
 * A rotated query, quantised to four bits a component, so that a sum over the set bits of a code of
 * {@link VectorCodes} is four population counts a word. Not for use by several threads.
 */
final class QueryPlanes {
  /** A good margin where the bounds of other documents, too, are known by estimates only. */
  static final float USUAL_MARGIN = 2.75f;

  /** A good margin where they are known for certain, so that no other's error makes up for it. */
  static final float WIDE_MARGIN = 3.75f;

  private static final int BITS = 4;
  private static final int LEVELS = (1 << BITS) - 1;

  /** The two lower bits of a level. */
  private static final int LOW = 3;

  /** The first of the others. */
  private static final int UPPER_BITS = 2;

  private final int words;

  /**
   * By column of a {@link CodeBlock} and bit of a component's level: {@code [column * BITS + bit]}.
   */
  private final int[] planes;

  /** What a dot product hardly exceeds, from the two upper bits of the query's levels. */
  private final Bound coarseUpper;

  /** What it hardly exceeds, and what it hardly falls short of. */
  private final Bound upper;

  private final Bound lower;

  private final int[] lowLevels = new int[CodeBlock.SIZE];
  private final int[] highLevels = new int[CodeBlock.SIZE];
  private final float[] levels = new float[CodeBlock.SIZE];

  /**
   * A bound is {@code factor · (ofSetBits · setBits + ofLevels · levels + constant) + ofSpread ·
   * spread}.
   */
  private record Bound(float ofSetBits, float ofLevels, float constant, float ofSpread) {
    float of(CodeBlock block, int i, int levels) {
      return block.factors()[i] * (ofSetBits * block.setBits()[i] + ofLevels * levels + constant)
          + ofSpread * block.spreads()[i];
    }

    void ofAll(CodeBlock block, float[] levels, float centroidDot, float[] into) {
      float[] factors = block.factors();
      float[] setBits = block.setBits();
      float[] spreads = block.spreads();
      for (int i = 0; i < into.length; i++) {
        into[i] =
            centroidDot
                + (factors[i] * (ofSetBits * setBits[i] + ofLevels * levels[i] + constant)
                    + ofSpread * spreads[i]);
      }
    }
  }

  /**
   * The standard deviation of an estimate, {@code ofFactor · factor + ofSpread · spread}. Those of
   * a code and of the query are independent, so their squares add up; the root is that of codes
   * with the usual relation of spread to factor, and a little less for others.
   */
  private record Deviation(double ofFactor, double ofSpread) {
    /** Spread by factor where a vector's components have a normal distribution. */
    private static final double USUAL_SPREAD = Math.sqrt(1 - 2 / Math.PI);

    /**
     * @param query of a sum over all components, due to what the query lacks
     * @param norm the query's length
     */
    static Deviation of(double query, double norm) {
      double code = norm * USUAL_SPREAD;
      double both = Math.hypot(query, code);
      return new Deviation(query * query / both, norm * code / both);
    }

    Bound bound(float ofSetBits, float ofLevels, float constant, float margin) {
      return new Bound(
          ofSetBits, ofLevels, (float) (constant + margin * ofFactor), (float) (margin * ofSpread));
    }
  }

  /**
   * @param norm the query's length, more than 0
   * @param margin how many standard deviations a dot product may exceed its estimate before its
   *     document is missed
   */
  QueryPlanes(float[] query, float norm, float margin) {
    int dimension = query.length;
    this.words = VectorCodes.words(dimension);
    this.planes = new int[2 * words * BITS];
    float[] rotated = query.clone();
    new Rotation(dimension, VectorCodes.SEED).apply(rotated);
    float low = Float.POSITIVE_INFINITY;
    float high = Float.NEGATIVE_INFINITY;
    double total = 0;
    for (float q : rotated) {
      low = Math.min(low, q);
      high = Math.max(high, q);
      total += q;
    }
    float sum = (float) total;
    float step = (high - low) / LEVELS;
    long lows = 0;
    long squares = 0;
    for (int i = 0; i < dimension; i++) {
      int level = step == 0 ? 0 : Math.round((rotated[i] - low) / step);
      for (int bit = 0; bit < BITS; bit++) {
        planes[(i >>> 5) * BITS + bit] |= (level >>> bit & 1) << i;
      }
      lows += level & LOW;
      squares += (long) (level & LOW) * (level & LOW);
    }
    // Standard deviation of what quantising the query adds to a sum over all components.
    float quantisation = (float) (step * Math.sqrt(dimension / 12.0));
    // Of the two lower bits of levels; what they add to twice the sum over a code's set bits, about
    // half of all, when their mean stands for each of them, has the deviation below.
    double mean = lows / (double) dimension;
    double deviation = Math.sqrt(squares / (double) dimension - mean * mean);
    float coarseDeviation = (float) (2 * step * deviation * Math.sqrt(dimension / 2.0));
    Deviation fine = Deviation.of(quantisation, norm);
    Deviation coarse = Deviation.of(Math.hypot(quantisation, coarseDeviation), norm);
    this.upper = fine.bound(2 * low, 2 * step, -sum, margin);
    this.lower = fine.bound(2 * low, 2 * step, -sum, -margin);
    this.coarseUpper = coarse.bound(2 * (low + step * (float) mean), 2 * step, -sum, margin);
  }

  private QueryPlanes(QueryPlanes other) {
    this.words = other.words;
    this.planes = other.planes;
    this.coarseUpper = other.coarseUpper;
    this.upper = other.upper;
    this.lower = other.lower;
  }

  /** The same for another thread. */
  QueryPlanes another() {
    return new QueryPlanes(this);
  }

  /** Words that a code's bits take. */
  int words() {
    return words;
  }

  /**
   * What the dot products with the vectors of a block hardly exceed, at less cost than {@link
   * #bounds}; NaN where there is none.
   *
   * @param centroidDot the dot product with what was taken from the vectors
   */
  void coarseUppers(CodeBlock block, float centroidDot, float[] uppers) {
    addLevels(block, UPPER_BITS, highLevels);
    for (int i = 0; i < levels.length; i++) {
      levels[i] = 4 * highLevels[i];
    }
    coarseUpper.ofAll(block, levels, centroidDot, uppers);
  }

  /** Between which the dot products with the vectors of a block lie, most likely, or NaN. */
  void bounds(CodeBlock block, float centroidDot, float[] lowers, float[] uppers) {
    addLevels(block, 0, lowLevels);
    addLevels(block, UPPER_BITS, highLevels);
    for (int i = 0; i < levels.length; i++) {
      levels[i] = lowLevels[i] + 4 * highLevels[i];
    }
    lower.ofAll(block, levels, centroidDot, lowers);
    upper.ofAll(block, levels, centroidDot, uppers);
  }

  /**
   * What two bits of the query's levels, from {@code bit} on, add up to over each code's set bits.
   */
  private void addLevels(CodeBlock block, int bit, int[] sums) {
    Arrays.fill(sums, 0);
    int[][] columns = block.columns();
    for (int column = 0; column < columns.length; column++) {
      int plane = column * BITS + bit;
      addLevels(columns[column], planes[plane], planes[plane + 1], sums);
    }
  }

  private static void addLevels(int[] column, int plane, int nextPlane, int[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += Integer.bitCount(column[i] & plane) + 2 * Integer.bitCount(column[i] & nextPlane);
    }
  }

  /** The sum of the query's levels over the set bits of one code. */
  int levels(CodeBlock block, int i) {
    return 4 * levels(block, i, UPPER_BITS) + levels(block, i, 0);
  }

  /** Likewise, of a code of the block that {@link #coarseUppers} has looked at last. */
  int levelsAfterUppers(CodeBlock block, int i) {
    return 4 * highLevels[i] + levels(block, i, 0);
  }

  /** What two bits of the query's levels, from {@code bit} on, add up to. */
  private int levels(CodeBlock block, int i, int bit) {
    int ones = 0;
    int twos = 0;
    int[][] columns = block.columns();
    for (int column = 0, plane = bit; column < columns.length; column++, plane += BITS) {
      int bits = columns[column][i];
      ones += Integer.bitCount(bits & planes[plane]);
      twos += Integer.bitCount(bits & planes[plane + 1]);
    }
    return ones + 2 * twos;
  }

  /** As {@link #bounds}, of one code, from its {@link #levels}. */
  float upper(CodeBlock block, int i, int levels, float centroidDot) {
    return centroidDot + upper.of(block, i, levels);
  }

  float lower(CodeBlock block, int i, int levels, float centroidDot) {
    return centroidDot + lower.of(block, i, levels);
  }
}
