package io.loam.lance;

/**
 * One vector field of a fragment, by physical row. Rows that the version deleted may be null.
 *
 * @param data components of row {@code i} from {@code i * dimension}; undefined where null
 * @param dimension components of a vector
 * @param nulls bit {@code i % 64} of word {@code i / 64} is set where row {@code i} has no vector
 */
public record FragmentVectors(float[] data, int dimension, long[] nulls) {
  public boolean isNull(int row) {
    return (nulls[row >> 6] & 1L << row) != 0;
  }
}
