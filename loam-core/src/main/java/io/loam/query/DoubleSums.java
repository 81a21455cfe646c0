package io.loam.query;

import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sums of doubles by group, rounded once, at the end, so that they depend neither on the order of
 * documents nor on how leaves hold them. A number's mantissa is added to integers of 32 bits each,
 * of which as many are kept as the exponents call for (after Neal, Fast exact summation using small
 * and large superaccumulators, 2015). Infinities and NaNs add up as IEEE 754 has it.
 */
final class DoubleSums {
  private static final int MANTISSA_BITS = 52;
  private static final int EXPONENT_MASK = 0x7ff;
  private static final long MANTISSA_MASK = (1L << MANTISSA_BITS) - 1;

  /** Of the lowest bit of a double whose exponent field is 1. */
  private static final int LEAST_EXPONENT = -1074;

  private static final int LIMB_BITS = 32;
  private static final long LIMB_MASK = 0xffffffffL;

  /** So many numbers of at most 52 bits fit a limb beside what it carries over. */
  private static final int MOST_ADDITIONS = 1 << 10;

  /** More bits than a double has, with some to spare for what is cut off. */
  private static final int KEPT_BITS = 64;

  private final PairSums pairs = new PairSums();
  private double[] values = {};

  /** The exponent field, a multiple of {@link #LIMB_BITS}, that limb 0 begins with. */
  private int base;

  /** Integers of each group. */
  private int limbs;

  private long[] sums = {};
  private double[] specials = {};

  /** By group, one more than the additions since carries were passed on; 0 of none at all. */
  private int[] additions = {};

  /** Goes on to a leaf. */
  void begin(double[] next) {
    values = next;
  }

  /** Called after all documents of a leaf. */
  void end() {
    pairs.drain(this::add);
  }

  /** Makes limbs from the one that begins with {@code first} on, beside those that are there. */
  private void makeRoom(int first, int count) {
    int newBase = limbs == 0 ? first : Math.min(base, first);
    int newLimbs =
        Math.max((first - newBase) / LIMB_BITS + count, (base - newBase) / LIMB_BITS + limbs);
    if (newBase != base || newLimbs != limbs) {
      long[] moved = new long[Math.multiplyExact(additions.length, newLimbs)];
      int shift = limbs == 0 ? 0 : (base - newBase) / LIMB_BITS;
      for (int group = 0; group < additions.length; group++) {
        System.arraycopy(sums, group * limbs, moved, group * newLimbs + shift, limbs);
      }
      sums = moved;
      base = newBase;
      limbs = newLimbs;
    }
  }

  /** Subnormal numbers have the weight of the least normal ones. */
  private static int exponentField(long bits) {
    return Math.max(1, (int) (bits >>> MANTISSA_BITS) & EXPONENT_MASK);
  }

  void makeRoom(int groups) {
    if (additions.length < groups) {
      int size = Math.max(groups, 2 * additions.length);
      additions = Arrays.copyOf(additions, size);
      specials = Arrays.copyOf(specials, size);
      sums = Arrays.copyOf(sums, Math.multiplyExact(size, limbs));
    }
  }

  /** Adds the sums of other documents, whose groups have other numbers. */
  void merge(DoubleSums other, int[] numbers, int groups) {
    makeRoom(groups);
    if (other.limbs > 0) {
      makeRoom(other.base, other.limbs);
    }
    int shift = (other.base - base) / LIMB_BITS;
    for (int of = 0; of < Math.min(numbers.length, other.additions.length); of++) {
      if (other.additions[of] != 0) {
        int group = numbers[of];
        carry(group);
        other.carry(of);
        specials[group] += other.specials[of];
        for (int limb = 0; limb < other.limbs; limb++) {
          sums[group * limbs + shift + limb] += other.sums[of * other.limbs + limb];
        }
      }
    }
  }

  void add(GroupedDocs docs, int groups) {
    makeRoom(groups);
    if (!pairs.takes(docs.size(), groups)) {
      pairs.drain(this::add);
    }
    if (groups <= PairSums.MOST_GROUPS) {
      pairs.add(values, docs, groups, this::add);
    } else {
      for (int i = 0; i < docs.size(); i++) {
        add(docs.groups[i], values[docs.docs[i]]);
      }
    }
  }

  void add(int group, double value) {
    if (++additions[group] >= MOST_ADDITIONS) {
      carry(group);
    }
    long bits = Double.doubleToRawLongBits(value);
    int field = exponentField(bits);
    if (field == EXPONENT_MASK) {
      specials[group] += value;
    } else if (bits << 1 != 0) {
      // A mantissa of 53 bits that is shifted by up to 31 reaches into two limbs and carries over
      // into a third.
      if (field < base || field - base >= (limbs - 2) * LIMB_BITS) {
        makeRoom(field & -LIMB_BITS, 3);
      }
      add(group * limbs, bits, field);
    }
  }

  private void add(int start, long bits, int field) {
    long mantissa = bits & MANTISSA_MASK;
    if ((bits >>> MANTISSA_BITS & EXPONENT_MASK) != 0) {
      mantissa |= 1L << MANTISSA_BITS;
    }
    long sign = bits >> 63;
    long signed = (mantissa ^ sign) - sign;
    int shift = (field - base) & (LIMB_BITS - 1);
    int limb = start + (field - base) / LIMB_BITS;
    sums[limb] += (signed << shift) & LIMB_MASK;
    sums[limb + 1] += signed >> (LIMB_BITS - shift);
  }

  /** Leaves {@link #LIMB_BITS} bits in each limb of a group but the last. */
  private void carry(int group) {
    int last = (group + 1) * limbs - 1;
    for (int limb = group * limbs; limb < last; limb++) {
      sums[limb + 1] += sums[limb] >> LIMB_BITS;
      sums[limb] &= LIMB_MASK;
    }
    additions[group] = 1;
  }

  /** The double nearest to the sum, null of none. */
  @Nullable Double value(int group) {
    if (group >= additions.length || additions[group] == 0) {
      return null;
    }
    if (specials[group] != 0) {
      return specials[group];
    }
    BigInteger whole = BigInteger.ZERO;
    for (int limb = limbs - 1; limb >= 0; limb--) {
      whole = whole.shiftLeft(LIMB_BITS).add(BigInteger.valueOf(sums[group * limbs + limb]));
    }
    // The lowest bit of a number with exponent field f weighs 2^(LEAST_EXPONENT + f - 1).
    return rounded(whole, LEAST_EXPONENT + base - 1);
  }

  /** The double nearest to {@code whole · 2^exponent}. */
  private static double rounded(BigInteger whole, int exponent) {
    BigInteger size = whole.abs();
    int cut = Math.max(0, size.bitLength() - KEPT_BITS);
    BigInteger kept = size.shiftRight(cut);
    if (cut > 0 && size.getLowestSetBit() < cut) {
      // What is cut off only tells on which side of the middle between two doubles the sum lies.
      kept = kept.setBit(0);
    }
    double rounded = Math.scalb(kept.doubleValue(), exponent + cut);
    return whole.signum() < 0 ? -rounded : rounded;
  }
}
