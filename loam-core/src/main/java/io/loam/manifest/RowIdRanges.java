package io.loam.manifest;

import java.util.ArrayList;
import java.util.List;

/** Collects row ids, in their order, into ranges. */
public final class RowIdRanges {
  private final List<RowIdRange> ranges = new ArrayList<>();
  private long start;
  private int count;

  public void add(long rowId) {
    if (count > 0 && rowId == start + count) {
      count++;
      return;
    }
    flush();
    start = rowId;
    count = 1;
  }

  public List<RowIdRange> toList() {
    flush();
    count = 0;
    return ranges;
  }

  private void flush() {
    if (count > 0) {
      ranges.add(new RowIdRange(start, count));
    }
  }
}
