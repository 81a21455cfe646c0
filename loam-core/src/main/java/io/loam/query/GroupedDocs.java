package io.loam.query;

import org.jspecify.annotations.Nullable;

/**
 * Some documents of a leaf in ascending order, and the number of each one's group. Columns' values
 * of documents that follow one another without a gap are read where they lie, others are gathered.
 */
final class GroupedDocs {
  static final int MOST = 4096;

  final int[] docs = new int[MOST];
  final int[] groups = new int[MOST];
  private int size;
  private double @Nullable [] doubles;
  private long @Nullable [] longs;

  int size() {
    return size;
  }

  void resize(int next) {
    size = next;
  }

  boolean isRange() {
    return size > 0 && docs[size - 1] - docs[0] == size - 1;
  }

  /** Where the documents' values begin in what {@code values} returns. */
  int firstValue() {
    return isRange() ? docs[0] : 0;
  }

  /** The documents' values, one after the other. */
  double[] values(double[] column) {
    if (isRange()) {
      return column;
    }
    double[] gathered = doubles == null ? new double[MOST] : doubles;
    for (int i = 0; i < size; i++) {
      gathered[i] = column[docs[i]];
    }
    doubles = gathered;
    return gathered;
  }

  /** The documents' values, one after the other. */
  long[] values(long[] column) {
    if (isRange()) {
      return column;
    }
    long[] gathered = longs == null ? new long[MOST] : longs;
    for (int i = 0; i < size; i++) {
      gathered[i] = column[docs[i]];
    }
    longs = gathered;
    return gathered;
  }
}
