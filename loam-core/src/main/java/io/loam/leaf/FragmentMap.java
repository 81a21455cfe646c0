package io.loam.leaf;

import io.loam.manifest.FragmentRef;
import io.loam.manifest.RowIdRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the fragments that hold row ids. */
public final class FragmentMap {

  /**
   * Successive rows of a fragment.
   *
   * @param fragment place of the fragment in the manifest
   * @param firstRow physical row
   * @param firstRowId of that row
   */
  public record Run(int fragment, int firstRow, int count, long firstRowId) {}

  private record Entry(RowIdRange ids, int fragment, int firstRow) {}

  private final List<Entry> entries = new ArrayList<>();

  public FragmentMap(List<FragmentRef> fragments) {
    for (int i = 0; i < fragments.size(); i++) {
      int row = 0;
      for (RowIdRange range : fragments.get(i).rowIds()) {
        entries.add(new Entry(range, i, row));
        row += range.count();
      }
    }
    entries.sort(Comparator.comparingLong(e -> e.ids.start()));
  }

  /** The runs that hold the range's row ids, in order, as far as fragments hold them. */
  public List<Run> runs(RowIdRange range) {
    List<Run> runs = new ArrayList<>();
    for (int i = Math.max(0, floor(range.start())); i < entries.size(); i++) {
      Entry e = entries.get(i);
      if (e.ids.start() >= range.end()) {
        break;
      }
      long from = Math.max(range.start(), e.ids.start());
      long to = Math.min(range.end(), e.ids.end());
      if (from < to) {
        int firstRow = e.firstRow + (int) (from - e.ids.start());
        runs.add(new Run(e.fragment, firstRow, (int) (to - from), from));
      }
    }
    return runs;
  }

  /** The last entry that starts at or before {@code rowId}, or -1. */
  private int floor(long rowId) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (entries.get(mid).ids.start() <= rowId) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low - 1;
  }
}
