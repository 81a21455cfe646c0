package io.loam.write;

import io.loam.manifest.RowIdRange;
import java.util.ArrayList;
import java.util.List;

/** Collects ascending row ids into ranges. */
final class RowIdRanges {
  private final List<RowIdRange> ranges = new ArrayList<>();
  private long start;
  private int count;

  void add(long rowId) {
    if (count > 0 && rowId == start + count) {
      count++;
      return;
    }
    flush();
    start = rowId;
    count = 1;
  }

  List<RowIdRange> toList() {
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
