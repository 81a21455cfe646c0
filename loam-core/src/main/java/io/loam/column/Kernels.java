package io.loam.column;

import io.loam.doc.DocSet;

/**
 * Loops that turn arrays into 64-bit words, in blocks: the compiler of the JVM makes small methods
 * fast after fewer calls.
 */
final class Kernels {
  static final int BLOCK = 4096;

  private Kernels() {}

  /** Sets the bits of the documents {@code from} to before {@code to} that pass. */
  @FunctionalInterface
  interface Block {
    void fill(int from, int to, long[] out);
  }

  /** Runs over documents 0 to before {@code size}, in blocks of {@link #BLOCK} from 0 on. */
  static long[] run(int size, Block block) {
    long[] out = new long[DocSet.wordCount(size)];
    for (int from = 0; from < size; from += BLOCK) {
      block.fill(from, Math.min(size, from + BLOCK), out);
    }
    return out;
  }

  /**
   * 1 if x is at most y as unsigned numbers, else 0: the borrow of y - x, without a branch that
   * every second row would take.
   */
  private static long notAbove(long x, long y) {
    return (((~y & x) | (~(y ^ x) & (y - x))) >>> 63) ^ 1;
  }

  /** {@code low <= values <= high}, where low is at most high. */
  static void longsInRange(long[] values, long low, long high, int from, int to, long[] out) {
    long span = high - low;
    for (int i = from; i < to; ) {
      int end = Math.min(to, i + 64);
      int word = i >>> 6;
      long bits = 0;
      for (; i < end; i++) {
        bits |= notAbove(values[i] - low, span) << i;
      }
      out[word] = bits;
    }
  }

  /** Values whose {@link Numbers#place} is from low to high, which is not below it. */
  static void doublesInRange(double[] values, long low, long high, int from, int to, long[] out) {
    long span = high - low;
    for (int i = from; i < to; ) {
      int end = Math.min(to, i + 64);
      int word = i >>> 6;
      long bits = 0;
      for (; i < end; i++) {
        bits |= notAbove(Numbers.place(values[i]) - low, span) << i;
      }
      out[word] = bits;
    }
  }

  /** Pairs of a signed and an unsigned long within two such pairs. */
  static void pairsInRange(
      long[] high, long[] low, long[] least, long[] most, int from, int to, long[] out) {
    for (int i = from; i < to; i++) {
      boolean in =
          comparePairs(high[i], low[i], least[0], least[1]) >= 0
              && comparePairs(high[i], low[i], most[0], most[1]) <= 0;
      out[i >>> 6] |= (in ? 1L : 0L) << i;
    }
  }

  static int comparePairs(long high1, long low1, long high2, long low2) {
    int byHigh = Long.compare(high1, high2);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low1, low2);
  }

  /** {@code low <= codes <= high}, where low is at most high. */
  static void codesInRange(int[] codes, int low, int high, int from, int to, long[] out) {
    long span = (long) high - low;
    for (int i = from; i < to; ) {
      int end = Math.min(to, i + 64);
      int word = i >>> 6;
      long bits = 0;
      for (; i < end; i++) {
        long above = Integer.toUnsignedLong(codes[i] - low);
        bits |= ((above - span - 1) >>> 63) << i;
      }
      out[word] = bits;
    }
  }

  /** Codes whose bit is set in {@code wanted}. */
  static void codesInSet(int[] codes, long[] wanted, int from, int to, long[] out) {
    for (int i = from; i < to; ) {
      int end = Math.min(to, i + 64);
      int word = i >>> 6;
      long bits = 0;
      for (; i < end; i++) {
        int code = codes[i];
        bits |= ((wanted[code >>> 6] >>> code) & 1) << i;
      }
      out[word] = bits;
    }
  }

  static void longsInSet(long[] values, PairSet wanted, int from, int to, long[] out) {
    for (int i = from; i < to; i++) {
      out[i >>> 6] |= (wanted.contains(values[i], 0) ? 1L : 0L) << i;
    }
  }

  /**
   * Zeros of both signs have the bits of 0.0 in {@code wanted}, NaNs those of {@link Double#NaN}.
   */
  static void doublesInSet(double[] values, PairSet wanted, int from, int to, long[] out) {
    for (int i = from; i < to; i++) {
      long bits = Double.doubleToLongBits(values[i] + 0.0);
      out[i >>> 6] |= (wanted.contains(bits, 0) ? 1L : 0L) << i;
    }
  }

  static void pairsInSet(
      long[] first, long[] second, PairSet wanted, int from, int to, long[] out) {
    for (int i = from; i < to; i++) {
      out[i >>> 6] |= (wanted.contains(first[i], second[i]) ? 1L : 0L) << i;
    }
  }

  /** Lists that have an item of this code. */
  static void listsWithCode(int[] offsets, int[] codes, int code, int from, int to, long[] out) {
    int doc = from;
    int end = offsets[to];
    for (int i = offsets[from]; i < end; i++) {
      if (codes[i] == code) {
        while (offsets[doc + 1] <= i) {
          doc++;
        }
        out[doc >>> 6] |= 1L << doc;
      }
    }
  }
}
