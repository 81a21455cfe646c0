package io.loam.leaf;

import io.loam.manifest.RowIdRange;
import java.util.Arrays;
import java.util.List;

/** Maps positions to row ids and back, where row ids ascend in a few ranges. */
public final class RowIdMap {
  private final long[] starts;
  private final int[] firsts;
  private final int size;

  /** Over ranges in order of position, and ascending. */
  public RowIdMap(List<RowIdRange> ranges) {
    starts = new long[ranges.size()];
    firsts = new int[ranges.size()];
    int position = 0;
    for (int i = 0; i < starts.length; i++) {
      starts[i] = ranges.get(i).start();
      firsts[i] = position;
      position += ranges.get(i).count();
    }
    size = position;
  }

  public int size() {
    return size;
  }

  public long rowId(int position) {
    int i = floor(Arrays.binarySearch(firsts, position));
    return starts[i] + (position - firsts[i]);
  }

  /** The row id's position, or -1 if no range holds it. */
  public int position(long rowId) {
    int i = floor(Arrays.binarySearch(starts, rowId));
    if (i < 0) {
      return -1;
    }
    long position = firsts[i] + (rowId - starts[i]);
    int end = i + 1 < firsts.length ? firsts[i + 1] : size;
    return position < end ? (int) position : -1;
  }

  private static int floor(int found) {
    return found >= 0 ? found : -found - 2;
  }
}
