package io.loam.leaf;

import io.loam.manifest.RowIdRange;
import io.loam.vector.RowPlaces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Where row ids are in some leaves. */
final class LeafPlaces implements RowPlaces {
  private final long[] starts;
  private final long[] ends;

  /** Place of a range's first row id; the others follow. */
  private final long[] places;

  LeafPlaces(List<Leaf> leaves) {
    record Run(RowIdRange rowIds, long place) {}
    List<Run> runs = new ArrayList<>();
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      int doc = 0;
      for (RowIdRange range : leaves.get(leaf).rowIds()) {
        runs.add(new Run(range, (long) leaf << 32 | doc));
        doc += range.count();
      }
    }
    runs.sort(Comparator.comparingLong(run -> run.rowIds.start()));
    starts = runs.stream().mapToLong(run -> run.rowIds.start()).toArray();
    ends = runs.stream().mapToLong(run -> run.rowIds.end()).toArray();
    places = runs.stream().mapToLong(Run::place).toArray();
  }

  @Override
  public Cursor cursor() {
    return new RangeCursor();
  }

  /** Remembers the range that it found last. */
  private final class RangeCursor implements Cursor {
    private long start;
    private long end;
    private long first;

    @Override
    public long place(long rowId) {
      if (rowId < start || rowId >= end) {
        int found = Arrays.binarySearch(starts, rowId);
        int range = found >= 0 ? found : -found - 2;
        if (range < 0 || rowId >= ends[range]) {
          return -1;
        }
        start = starts[range];
        end = ends[range];
        first = places[range];
      }
      return first + (rowId - start);
    }
  }
}
