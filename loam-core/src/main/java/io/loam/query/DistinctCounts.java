package io.loam.query;

import io.loam.column.Column;
import io.loam.doc.DocSet;
import java.util.Arrays;
import java.util.Optional;

/** How many different values each group has. */
final class DistinctCounts extends GroupValue {
  /** Products of groups and a leaf's values up to this have a bit each. */
  private static final long MOST_BITS = 1L << 24;

  private final GroupCodes codes = new GroupCodes(Optional.empty());
  private final LongNumbering pairs = new LongNumbering();
  private long[] counts = {};

  /** The leaf's keywords if the column has such. */
  private int[] keywords = {};

  private int width;

  /** Pairs of group and keyword of the leaf that were met. */
  private long[] met = {};

  @Override
  void beginColumn(Column next) {
    codes.begin(0, next);
    width = 0;
    met = new long[0];
    if (next instanceof Column.Keywords of) {
      keywords = of.codes();
      width = of.dictionary().length + 1;
    }
  }

  @Override
  void add(GroupedDocs block, int groups) {
    int[] docs = block.docs;
    int[] numbers = block.groups;
    int n = block.size();
    makeRoom(groups);
    long bits = (long) groups * width;
    if (width == 0 || bits > MOST_BITS) {
      for (int i = 0; i < n; i++) {
        count(numbers[i], codes.code(docs[i]));
      }
      return;
    }
    int words = DocSet.wordCount((int) bits);
    if (met.length < words) {
      met = Arrays.copyOf(met, Math.max(words, 2 * met.length));
    }
    for (int i = 0; i < n; i++) {
      int bit = numbers[i] * width + keywords[docs[i]];
      if ((met[bit >>> 6] & 1L << bit) == 0) {
        met[bit >>> 6] |= 1L << bit;
        count(numbers[i], codes.code(docs[i]));
      }
    }
  }

  /** Adds all documents of a leaf to the one group that there is. */
  void addWhole(Column.Keywords column) {
    begin(column);
    makeRoom(1);
    for (int code = 1; code <= column.dictionary().length; code++) {
      count(0, codes.ofKeyword(column, code));
    }
  }

  private void makeRoom(int groups) {
    if (counts.length < groups) {
      counts = Arrays.copyOf(counts, Math.max(groups, 2 * counts.length));
    }
  }

  /** Counts a pair of group and value that was not met before. */
  private void count(int group, int code) {
    int known = pairs.size();
    if (pairs.number((long) group << Integer.SIZE | code) == known) {
      counts[group]++;
    }
  }

  @Override
  void merge(GroupValue others, int[] numbers, int groups) {
    DistinctCounts of = (DistinctCounts) others;
    int[] codesHere = codes.adopt(of.codes);
    makeRoom(groups);
    of.pairs.forEach(pair -> count(numbers[(int) (pair >>> Integer.SIZE)], codesHere[(int) pair]));
  }

  @Override
  Object value(int group) {
    return group < counts.length ? counts[group] : 0L;
  }
}
