package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Arrays;

/** Collects the entries of a sparse vector in any order. */
final class SparseEntries {
  private static final long MAX_INDEX = 0xFFFF_FFFFL;

  /** Index in the upper half, which then sorts as unsigned, bits of the weight in the lower. */
  private long[] entries = new long[16];

  private final String owner;
  private int size;

  /**
   * {@code owner} stands before the values in messages: empty, or like {@code "column=terms, "}.
   */
  SparseEntries(String owner) {
    this.owner = owner;
  }

  /** Adds an entry; those of weight zero count, and are dropped in the end. */
  void add(long index, double weight) {
    if (index < 0 || index > MAX_INDEX) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "sparse index out of range: %sindex=%d; use 0 to %d".formatted(owner, index, MAX_INDEX));
    }
    float value = (float) weight;
    if (!Float.isFinite(value)) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "sparse weight is no finite float: %sindex=%d, weight=%s; use finite numbers"
              .formatted(owner, index, weight));
    }
    if (size == Limits.MAX_SPARSE_ENTRIES) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          "too many sparse entries: %slimit=%d; drop the smallest weights"
              .formatted(owner, Limits.MAX_SPARSE_ENTRIES));
    }
    if (size == entries.length) {
      entries = Arrays.copyOf(entries, 2 * size);
    }
    // Zero weights stay until the end, so that an index given twice is found.
    entries[size++] = (index ^ 0x8000_0000L) << 32 | (Float.floatToRawIntBits(value) & MAX_INDEX);
  }

  /** The vector; fails if an index was added twice. */
  SparseVector toVector() {
    Arrays.sort(entries, 0, size);
    int[] indices = new int[size];
    float[] values = new float[size];
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int index = (int) (entries[i] >>> 32) ^ Integer.MIN_VALUE;
      if (i > 0 && entries[i] >>> 32 == entries[i - 1] >>> 32) {
        throw new LoamException(
            ErrorCode.INVALID_ARGUMENT,
            "sparse index given twice: %sindex=%s; give each index once"
                .formatted(owner, Integer.toUnsignedString(index)));
      }
      float value = Float.intBitsToFloat((int) entries[i]);
      if (value != 0) {
        indices[kept] = index;
        values[kept++] = value;
      }
    }
    return new SparseVector(Arrays.copyOf(indices, kept), Arrays.copyOf(values, kept));
  }
}
