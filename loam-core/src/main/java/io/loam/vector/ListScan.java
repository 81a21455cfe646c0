package io.loam.vector;

/** Bounds of the values of a segment's rows for one query; see {@link QueryValues}. */
interface ListScan {
  /** Rows whose bounds are asked for at once, at most. */
  int BLOCK = CodeBlock.SIZE;

  /** How many of the best by lower bound decide, as a rule, which rows are looked at further. */
  int kept(int k);

  /**
   * Bounds of successive rows of a list.
   *
   * @param centroidDot the query's dot product with the list's centroid
   */
  void bounds(
      Segment segment, int first, int count, float centroidDot, float[] lowers, float[] uppers);

  /** Whether no row's value lies outside its bounds, as a rule: others are estimates. */
  boolean isSure();

  /** Whether {@link #refine} knows more. */
  boolean refines();

  /** Closer bounds of one row: the lower one in the upper 32 bits, as floats. */
  long refine(Segment segment, int row);

  static long pair(float lower, float upper) {
    return (long) Float.floatToRawIntBits(lower) << 32
        | Integer.toUnsignedLong(Float.floatToRawIntBits(upper));
  }

  static float lower(long pair) {
    return Float.intBitsToFloat((int) (pair >>> 32));
  }

  static float upper(long pair) {
    return Float.intBitsToFloat((int) pair);
  }
}
