package io.loam.bench;

import java.util.List;
import java.util.Locale;

/** Whether two engines answered the same, so that their speed is compared on equal work. */
final class Agreement {
  private int questions;
  private int sameCount;
  private int sameSet;
  private int sameOrder;

  void add(List<Long> left, List<Long> right) {
    questions++;
    sameCount += left.size() == right.size() ? 1 : 0;
    sameSet += left.stream().sorted().toList().equals(right.stream().sorted().toList()) ? 1 : 0;
    sameOrder += left.equals(right) ? 1 : 0;
  }

  /** All have equally many rows, and at least this fraction the same rows. */
  boolean holds(double fraction) {
    return sameCount == questions && sameSet >= fraction * questions;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "of %,d questions %,d with as many rows, %,d with the same rows, %,d in the same order",
        questions,
        sameCount,
        sameSet,
        sameOrder);
  }
}
