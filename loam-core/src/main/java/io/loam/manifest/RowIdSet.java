package io.loam.manifest;

import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * Row ids that ascend, as a bitmap: where rows are deleted here and there, this takes a fraction of
 * what their ranges do.
 *
 * @param first row id
 * @param offsets of the row ids from the first
 */
record RowIdSet(long first, RoaringBitmap offsets) {
  /** Ranges of which a set is made at least. */
  private static final int LEAST_RANGES = 64;

  /** Sets in place of ranges, in their order; none where the ranges are few. */
  static List<RowIdSet> of(List<RowIdRange> ranges) {
    List<RowIdSet> sets = new ArrayList<>();
    if (ranges.size() >= LEAST_RANGES) {
      long end = Long.MAX_VALUE;
      for (RowIdRange range : ranges) {
        // Ranges that touch must stay two: what is read has to be what was written.
        if (range.start() <= end || range.end() - last(sets).first > Integer.MAX_VALUE) {
          sets.add(new RowIdSet(range.start(), new RoaringBitmap()));
        }
        RowIdSet set = last(sets);
        set.offsets.add(range.start() - set.first, range.end() - set.first);
        end = range.end();
      }
    }
    return ranges.size() >= LEAST_RANGES * (long) sets.size() ? sets : List.of();
  }

  private static RowIdSet last(List<RowIdSet> sets) {
    return sets.get(sets.size() - 1);
  }

  /** The ranges that some sets were made of. */
  static List<RowIdRange> ranges(List<RowIdSet> sets) {
    List<RowIdRange> ranges = new ArrayList<>();
    int[] batch = new int[1024];
    for (RowIdSet set : sets) {
      RowIdRanges ofSet = new RowIdRanges();
      for (BatchIterator offsets = set.offsets.getBatchIterator(); offsets.hasNext(); ) {
        int count = offsets.nextBatch(batch);
        for (int i = 0; i < count; i++) {
          ofSet.add(set.first + Integer.toUnsignedLong(batch[i]));
        }
      }
      ranges.addAll(ofSet.toList());
    }
    return ranges;
  }
}
