package io.loam.query;

import io.loam.column.Column;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The least or greatest value of each group, in the order of ORDER BY. */
final class GroupExtremes extends GroupValue {
  /** Which one is wanted. */
  enum Side {
    LEAST,
    GREATEST
  }

  private final boolean least;
  private @Nullable Column column;

  /** By group, one more than the leaf's document with the best value so far; 0 for none. */
  private int[] best = {};

  /** By group, the best value of the leaves before. */
  private @Nullable Object[] values = {};

  GroupExtremes(Side side) {
    this.least = side == Side.LEAST;
  }

  @Override
  void beginColumn(Column next) {
    column = next;
    Arrays.fill(best, 0);
  }

  @Override
  void add(GroupedDocs docs, int groups) {
    if (best.length < groups) {
      best = Arrays.copyOf(best, Math.max(groups, 2 * best.length));
    }
    if (column instanceof Column.Longs of) {
      addLongs(of.values(), docs.docs, docs.groups, docs.size());
    } else if (column instanceof Column.Decimals of && of.high() == null) {
      addLongs(of.low(), docs.docs, docs.groups, docs.size());
    } else if (column instanceof Column.Keywords of) {
      addCodes(of.codes(), docs.docs, docs.groups, docs.size());
    } else if (column instanceof Column.Doubles of) {
      addDoubles(of.values(), docs.docs, docs.groups, docs.size());
    } else {
      addObjects(Objects.requireNonNull(column), docs);
    }
  }

  private void addLongs(long[] of, int[] docs, int[] numbers, int n) {
    for (int i = 0; i < n; i++) {
      int known = best[numbers[i]];
      if (known == 0 || (of[docs[i]] < of[known - 1]) == least) {
        best[numbers[i]] = docs[i] + 1;
      }
    }
  }

  /** The dictionary is sorted. */
  private void addCodes(int[] of, int[] docs, int[] numbers, int n) {
    for (int i = 0; i < n; i++) {
      int known = best[numbers[i]];
      if (known == 0 || (of[docs[i]] < of[known - 1]) == least) {
        best[numbers[i]] = docs[i] + 1;
      }
    }
  }

  private void addDoubles(double[] of, int[] docs, int[] numbers, int n) {
    for (int i = 0; i < n; i++) {
      int known = best[numbers[i]];
      if (known == 0 || (Double.compare(of[docs[i]], of[known - 1]) < 0) == least) {
        best[numbers[i]] = docs[i] + 1;
      }
    }
  }

  private void addObjects(Column of, GroupedDocs docs) {
    for (int i = 0; i < docs.size(); i++) {
      int doc = docs.docs[i];
      int known = best[docs.groups[i]];
      if (known == 0 || isBetter(value(of, doc), value(of, known - 1))) {
        best[docs.groups[i]] = doc + 1;
      }
    }
  }

  /** Whole numbers of all kinds, booleans and dates are longs. */
  private static Object value(Column of, int doc) {
    return of instanceof Column.Longs longs
        ? (Object) longs.values()[doc]
        : Objects.requireNonNull(of.value(doc));
  }

  @SuppressWarnings("unchecked") // both are values of one field, whose class has ORDER BY's order
  private boolean isBetter(Object value, Object other) {
    int order = ((Comparable<Object>) value).compareTo(other);
    return least ? order < 0 : order > 0;
  }

  @Override
  void end() {
    if (values.length < best.length) {
      values = Arrays.copyOf(values, best.length);
    }
    for (int group = 0; group < best.length; group++) {
      if (best[group] != 0) {
        offer(group, value(Objects.requireNonNull(column), best[group] - 1));
      }
    }
  }

  private void offer(int group, Object found) {
    Object known = values[group];
    if (known == null || isBetter(found, known)) {
      values[group] = found;
    }
  }

  @Override
  void merge(GroupValue others, int[] numbers, int groups) {
    if (values.length < groups) {
      values = Arrays.copyOf(values, groups);
    }
    for (int of = 0; of < numbers.length; of++) {
      Object found = others.value(of);
      if (found != null) {
        offer(numbers[of], found);
      }
    }
  }

  @Override
  @Nullable Object value(int group) {
    return group < values.length ? values[group] : null;
  }
}
