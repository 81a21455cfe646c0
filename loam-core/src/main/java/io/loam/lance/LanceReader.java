package io.loam.lance;

import io.loam.schema.Field;
import io.loam.schema.SparseVector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one version of a dataset. Safe for use by several threads. Row ids may come in any order
 * and more than once; a row that the version does not have is a {@code CORRUPT_OBJECT}.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class LanceReader implements AutoCloseable {
  LanceReader() {}

  /** Rows of this version. */
  public long rowCount() {
    throw new UnsupportedOperationException();
  }

  /** JSON bodies, aligned to {@code rowIds}. */
  public String[] sources(long[] rowIds) {
    throw new UnsupportedOperationException();
  }

  /** Canonical key bytes, aligned to {@code rowIds}. */
  public byte[][] keys(long[] rowIds) {
    throw new UnsupportedOperationException();
  }

  /** Vectors of a {@code VECTOR} field, aligned to {@code rowIds}, null where a row has none. */
  public float @Nullable [][] vectors(int fieldNumber, long[] rowIds) {
    throw new UnsupportedOperationException();
  }

  /** Vectors of a {@code SPARSEVECTOR} field, aligned to {@code rowIds}. */
  public @Nullable SparseVector[] sparse(int fieldNumber, long[] rowIds) {
    throw new UnsupportedOperationException();
  }

  /**
   * All vectors of a fragment, by physical row.
   *
   * @param physicalRows rows in the fragment's files, deleted ones included
   */
  public FragmentVectors vectors(int fragmentId, int fieldNumber, int physicalRows) {
    throw new UnsupportedOperationException();
  }

  /**
   * Hands over the live rows of a fragment in physical order.
   *
   * @param vectorFields fields of kind {@code VECTOR} or {@code SPARSEVECTOR} to read; the order of
   *     {@link LanceRow#vectors}
   */
  public void scan(int fragmentId, List<Field> vectorFields, RowConsumer consumer) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
