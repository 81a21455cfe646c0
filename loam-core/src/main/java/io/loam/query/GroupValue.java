package io.loam.query;

import io.loam.column.Column;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One call's value of each group, to which leaves are added one after the other. */
abstract class GroupValue {
  private @Nullable GroupedDocs some;
  private @Nullable Column column;

  static GroupValue of(Aggregation.Function function) {
    return switch (function) {
      case COUNT_ROWS, COUNT -> throw new IllegalArgumentException("counted apart");
      case COUNT_DISTINCT -> new DistinctCounts();
      case SUM, WIDE_SUM -> new Sums();
      case MIN -> new GroupExtremes(GroupExtremes.Side.LEAST);
      case MAX -> new GroupExtremes(GroupExtremes.Side.GREATEST);
    };
  }

  /** Goes on to a leaf's column; called once before the documents of the leaf are added. */
  final void begin(Column next) {
    column = next;
    beginColumn(next);
  }

  /**
   * Adds those of some documents that have a value of the leaf's column.
   *
   * @param groups one more than the greatest number of a group
   */
  final void addPresent(GroupedDocs docs, int groups) {
    addSome(docs, groups, 1);
  }

  /** Adds those that have none. */
  final void addMissing(GroupedDocs docs, int groups) {
    addSome(docs, groups, 0);
  }

  /**
   * @param present 1 for those that have a value, 0 for those that have none
   */
  private void addSome(GroupedDocs all, int groups, int present) {
    Column of = Objects.requireNonNull(column);
    GroupedDocs chosen = some == null ? new GroupedDocs() : some;
    some = chosen;
    int[] codes = of instanceof Column.Keywords keywords ? keywords.codes() : null;
    int count = 0;
    for (int i = 0; i < all.size(); i++) {
      int doc = all.docs[i];
      chosen.docs[count] = doc;
      chosen.groups[count] = all.groups[i];
      boolean isNull = codes == null ? of.isNull(doc) : codes[doc] == 0;
      count += isNull ? 1 - present : present;
    }
    chosen.resize(count);
    add(chosen, groups);
  }

  abstract void beginColumn(Column next);

  abstract void add(GroupedDocs docs, int groups);

  /** Called after all documents of a leaf. */
  void end() {}

  /**
   * Adds the values of other documents, of a call like this one.
   *
   * @param numbers by the others' number of a group, its number here
   * @param groups one more than the greatest of these
   */
  abstract void merge(GroupValue others, int[] numbers, int groups);

  /** The value, null of none but for counts. */
  abstract @Nullable Object value(int group);

  /** Documents. */
  static final class Counts extends GroupValue {
    private long[] counts = {};

    @Override
    void beginColumn(Column next) {}

    @Override
    void add(GroupedDocs docs, int groups) {
      makeRoom(groups);
      for (int i = 0; i < docs.size(); i++) {
        counts[docs.groups[i]]++;
      }
    }

    private void makeRoom(int groups) {
      if (counts.length < groups) {
        counts = Arrays.copyOf(counts, Math.max(groups, 2 * counts.length));
      }
    }

    @Override
    void merge(GroupValue others, int[] numbers, int groups) {
      makeRoom(groups);
      for (int of = 0; of < numbers.length; of++) {
        counts[numbers[of]] += ((Counts) others).value(of);
      }
    }

    @Override
    Long value(int group) {
      return group < counts.length ? counts[group] : 0L;
    }
  }

  /** Sums of the kind that the column's values call for. */
  private static final class Sums extends GroupValue {
    private final WholeSums wholes = new WholeSums();
    private final DoubleSums doubles = new DoubleSums();
    private boolean isDouble;

    @Override
    void beginColumn(Column next) {
      isDouble = next instanceof Column.Doubles;
      if (next instanceof Column.Doubles of) {
        doubles.begin(of.values());
      } else if (next instanceof Column.Decimals of) {
        wholes.begin(of.low(), of.high());
      } else {
        wholes.begin(((Column.Longs) next).values(), null);
      }
    }

    @Override
    void add(GroupedDocs docs, int groups) {
      if (isDouble) {
        doubles.add(docs, groups);
      } else {
        wholes.add(docs, groups);
      }
    }

    @Override
    void end() {
      doubles.end();
    }

    @Override
    void merge(GroupValue others, int[] numbers, int groups) {
      Sums sums = (Sums) others;
      isDouble |= sums.isDouble;
      doubles.merge(sums.doubles, numbers, groups);
      wholes.merge(sums.wholes, numbers, groups);
    }

    @Override
    @Nullable Object value(int group) {
      return isDouble ? doubles.value(group) : wholes.value(group);
    }
  }
}
