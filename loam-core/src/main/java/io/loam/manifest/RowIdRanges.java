package io.loam.manifest;

import java.util.ArrayList;
import java.util.Comparator;
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

  /** Adds the row ids of a range that starts after all before. */
  public void add(RowIdRange range) {
    if (count > 0 && range.start() == start + count && count <= Integer.MAX_VALUE - range.count()) {
      count += range.count();
      return;
    }
    flush();
    start = range.start();
    count = range.count();
  }

  /** Ranges that do not overlap in ascending order, those that touch made one. */
  public static List<RowIdRange> ascending(List<RowIdRange> ranges) {
    RowIdRanges ascending = new RowIdRanges();
    ranges.stream().sorted(Comparator.comparingLong(RowIdRange::start)).forEach(ascending::add);
    return ascending.toList();
  }

  /** Whether two lists of ascending ranges have a row id in common. */
  public static boolean overlap(List<RowIdRange> some, List<RowIdRange> others) {
    return !intersection(some, others).isEmpty();
  }

  /** The row ids that two lists of ascending ranges have in common. */
  public static List<RowIdRange> intersection(List<RowIdRange> some, List<RowIdRange> others) {
    RowIdRanges common = new RowIdRanges();
    for (int i = 0, j = 0; i < some.size() && j < others.size(); ) {
      RowIdRange a = some.get(i);
      RowIdRange b = others.get(j);
      long from = Math.max(a.start(), b.start());
      long to = Math.min(a.end(), b.end());
      if (from < to) {
        common.add(new RowIdRange(from, (int) (to - from)));
      }
      if (a.end() <= b.end()) {
        i++;
      } else {
        j++;
      }
    }
    return common.toList();
  }

  /** The row ids of some ascending ranges that others, ascending too, do not have. */
  public static List<RowIdRange> difference(List<RowIdRange> some, List<RowIdRange> others) {
    RowIdRanges left = new RowIdRanges();
    int j = 0;
    for (RowIdRange range : some) {
      long from = range.start();
      while (j < others.size() && others.get(j).end() <= from) {
        j++;
      }
      for (int o = j; o < others.size() && others.get(o).start() < range.end(); o++) {
        addBetween(left, from, others.get(o).start());
        from = Math.max(from, others.get(o).end());
      }
      addBetween(left, from, range.end());
    }
    return left.toList();
  }

  private static void addBetween(RowIdRanges ranges, long from, long to) {
    if (from < to) {
      ranges.add(new RowIdRange(from, (int) (to - from)));
    }
  }

  /** How many row ids some ranges have. */
  public static long count(List<RowIdRange> ranges) {
    return ranges.stream().mapToLong(RowIdRange::count).sum();
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
