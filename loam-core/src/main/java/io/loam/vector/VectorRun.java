package io.loam.vector;

import org.jspecify.annotations.Nullable;

/**
 * Successive documents of a leaf whose vectors are successive rows of one decoded block: document
 * {@code firstDoc + i} is row {@code firstRow + i}. Row r starts at {@code data[r * dimension]}.
 * Arrays are not copied and must not be changed.
 *
 * @param nulls a set bit r means that row r has no vector; null if all have one
 * @param squaredNorms of all rows of the block, as {@link ExactKernel#squaredNorms} gives them;
 *     null where they are not kept, which makes cosine slower
 */
public record VectorRun(
    int firstDoc,
    int count,
    float[] data,
    int firstRow,
    long @Nullable [] nulls,
    double @Nullable [] squaredNorms) {

  boolean isNull(int row) {
    return nulls != null && (nulls[row >>> 6] & (1L << row)) != 0;
  }
}
