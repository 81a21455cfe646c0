package io.loam.query;

import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Exact sums of whole numbers by group. */
final class WholeSums {
  private long[] values = {};
  private long @Nullable [] highValues;
  private long[] sums = {};
  private boolean[] any = {};

  /** How many groups have any. */
  private int known;

  /** What the longs could not hold, numbers of 128 bits, and sums of other documents. */
  private @Nullable BigInteger[] large = {};

  /**
   * Goes on to a leaf.
   *
   * @param nextHigh upper halves of numbers of 128 bits; null where numbers have 64
   */
  void begin(long[] next, long @Nullable [] nextHigh) {
    values = next;
    highValues = nextHigh;
  }

  private void makeRoom(int groups) {
    if (any.length < groups) {
      int size = Math.max(groups, 2 * any.length);
      any = Arrays.copyOf(any, size);
      sums = Arrays.copyOf(sums, size);
      large = Arrays.copyOf(large, size);
    }
  }

  /** Adds the sums of other documents, whose groups have other numbers. */
  void merge(WholeSums other, int[] numbers, int groups) {
    makeRoom(groups);
    for (int of = 0; of < Math.min(numbers.length, other.any.length); of++) {
      BigInteger sum = other.value(of);
      if (sum != null) {
        know(numbers[of]);
        addLarge(numbers[of], sum);
      }
    }
  }

  private void addLarge(int group, BigInteger value) {
    BigInteger sum = large[group];
    large[group] = sum == null ? value : sum.add(value);
  }

  void add(GroupedDocs docs, int groups) {
    makeRoom(groups);
    for (int i = 0; known < groups && i < docs.size(); i++) {
      know(docs.groups[i]);
    }
    if (highValues == null) {
      add(docs.values(values), docs.firstValue(), docs.groups, docs.size());
    } else {
      for (int i = 0; i < docs.size(); i++) {
        int doc = docs.docs[i];
        addLarge(docs.groups[i], whole(highValues[doc], values[doc]));
      }
    }
  }

  private void know(int group) {
    if (!any[group]) {
      any[group] = true;
      known++;
    }
  }

  private void add(long[] addends, int first, int[] numbers, int n) {
    long[] to = sums;
    for (int i = 0; i < n; i++) {
      int group = numbers[i];
      long value = addends[first + i];
      long before = to[group];
      long sum = before + value;
      if (((before ^ sum) & (value ^ sum)) < 0) {
        addLarge(group, BigInteger.valueOf(before));
        sum = value;
      }
      to[group] = sum;
    }
  }

  private static BigInteger whole(long high, long low) {
    return BigInteger.valueOf(high)
        .shiftLeft(Long.SIZE)
        .or(new BigInteger(Long.toUnsignedString(low)));
  }

  /** The sum, null of none. */
  @Nullable BigInteger value(int group) {
    if (group >= any.length || !any[group]) {
      return null;
    }
    BigInteger sum = BigInteger.valueOf(sums[group]);
    BigInteger more = large[group];
    return more == null ? sum : sum.add(more);
  }
}
