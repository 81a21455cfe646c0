package io.loam.schema;

import java.util.Arrays;

/**
 * Index–weight pairs in ascending order of index (unsigned 32 bits), each index once, weights
 * finite and not zero. The arrays are not copied and must not be changed.
 */
public record SparseVector(int[] indices, float[] values) {

  public int size() {
    return indices.length;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SparseVector v
        && Arrays.equals(indices, v.indices)
        && Arrays.equals(values, v.values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(indices) + Arrays.hashCode(values);
  }
}
