package io.loam.query;

import java.util.Arrays;

/**
 * Sums of doubles by group as long as they are exact: each number is split into a multiple of a
 * coarse unit and a multiple of a fine one, which are added apart (after Demmel and Nguyen, Fast
 * reproducible floating-point summation, 2013). The units follow from the first number; numbers
 * that are too large, or that have bits below the fine unit, are handed back.
 */
final class PairSums {
  /** With more groups it costs more to take the sums out than it saves. */
  static final int MOST_GROUPS = 1 << 12;

  /** So many parts of so many bits make a sum of 53 bits, which a double holds. */
  private static final int MOST_ADDITIONS = 1 << 16;

  private static final int PART_BITS = 53 - 16;

  /** Numbers may be so many times, as a power of two, larger than the first one. */
  private static final int SPARE_BITS = 10;

  /** That no sum is: a sum of parts, none of which is −0.0, is +0.0 or another number. */
  private static final double NONE = -0.0;

  /** Takes a group's number, or what is left of it. */
  interface Target {
    void add(int group, double value);
  }

  /** By group, the sum of the coarse parts and the sum of the fine ones. */
  private double[] sums = {};

  private int additions;

  /** Numbers from this size on are not taken; 0 before the first one. */
  private double limit;

  /** That added and taken away again round to multiples of the units. */
  private double toCoarse;

  private double toFine;

  /** Whether so many numbers can be added to the sums that are there. */
  boolean takes(int n, int groups) {
    return additions + n <= MOST_ADDITIONS && groups <= MOST_GROUPS;
  }

  /**
   * Adds what it takes.
   *
   * @param count of groups
   * @param rest what it does not take
   */
  void add(double[] column, GroupedDocs docs, int count, Target rest) {
    if (sums.length < 2 * count) {
      int from = sums.length;
      sums = Arrays.copyOf(sums, Math.max(2 * count, 2 * from));
      Arrays.fill(sums, from, sums.length, NONE);
    }
    int n = docs.size();
    double[] values = docs.values(column);
    int first = docs.firstValue();
    if (limit == 0 && n > 0) {
      chooseUnits(values[first]);
    }
    additions += n;
    add(values, first, docs.groups, n, rest);
  }

  private void add(double[] values, int first, int[] numbers, int n, Target rest) {
    double[] to = sums;
    double limit = this.limit;
    double toCoarse = this.toCoarse;
    double toFine = this.toFine;
    for (int i = 0; i < n; i++) {
      double value = values[first + i];
      int group = numbers[i];
      double high = (value + toCoarse) - toCoarse;
      double low = value - high;
      if (Math.abs(value) < limit && (low + toFine) - toFine == low) {
        to[2 * group] += high;
        to[2 * group + 1] += low;
      } else {
        rest.add(group, value);
      }
    }
  }

  /** Units that keep sums exact: parts are less than 2^{@link #PART_BITS} of their unit. */
  private void chooseUnits(double first) {
    int exponent = Math.getExponent(first) + 1 + SPARE_BITS;
    if (exponent > Double.MAX_EXPONENT - 64 || exponent < Double.MIN_EXPONENT + 128) {
      return;
    }
    int coarseUnit = exponent - PART_BITS;
    int fineUnit = coarseUnit - PART_BITS;
    limit = Math.scalb(1.0, exponent);
    toCoarse = Math.scalb(1.5, 52 + coarseUnit);
    toFine = Math.scalb(1.5, 52 + fineUnit);
  }

  /** Hands all sums over, and begins anew. */
  void drain(Target target) {
    if (additions == 0) {
      return;
    }
    for (int i = 0; i < sums.length; i += 2) {
      if (Double.doubleToRawLongBits(sums[i]) != Double.doubleToRawLongBits(NONE)) {
        target.add(i / 2, sums[i]);
        target.add(i / 2, sums[i + 1]);
        sums[i] = NONE;
        sums[i + 1] = NONE;
      }
    }
    additions = 0;
    limit = 0;
  }
}
