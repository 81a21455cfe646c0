package io.loam.manifest;

/** Row ids {@code start} to {@code start + count - 1}. */
public record RowIdRange(long start, int count) {
  /** The first row id after the range. */
  public long end() {
    return start + count;
  }

  public boolean contains(long rowId) {
    return rowId >= start && rowId < end();
  }
}
