package io.loam.sparse;

import io.loam.schema.SparseVector;
import org.jspecify.annotations.Nullable;

/**
 * Collects the sparse vectors of one field in doc-id order. Not safe for use by several threads.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class SparseBuilder {
  /** Adds the next document's vector, or null where it is missing. */
  public SparseBuilder add(@Nullable SparseVector vector) {
    throw new UnsupportedOperationException();
  }

  /** The index; the builder must not be used afterwards. */
  public SparseIndex build() {
    throw new UnsupportedOperationException();
  }
}
