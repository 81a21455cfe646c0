package io.loam.sparse;

/** Inverted lists of one sparse field of one leaf. Safe for use by several threads. */
@SuppressWarnings("DoNotCallSuggester")
public final class SparseIndex {
  SparseIndex() {}

  public int documentCount() {
    throw new UnsupportedOperationException();
  }

  /** Documents with this index (unsigned), deleted ones included. */
  public int documentFrequency(int index) {
    throw new UnsupportedOperationException();
  }
}
