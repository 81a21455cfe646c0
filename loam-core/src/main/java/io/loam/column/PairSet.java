package io.loam.column;

/** A hash set of pairs of longs. */
final class PairSet {
  private final long[] first;
  private final long[] second;

  /** Places in the arrays plus one, by hash; 0 is free. */
  private final int[] table;

  private int size;

  PairSet(int most) {
    first = new long[most];
    second = new long[most];
    table = new int[Integer.highestOneBit(Math.max(4, most)) << 2];
  }

  void add(long a, long b) {
    int slot = slot(a, b);
    if (table[slot] == 0) {
      first[size] = a;
      second[size] = b;
      table[slot] = ++size;
    }
  }

  boolean contains(long a, long b) {
    return table[slot(a, b)] != 0;
  }

  private int slot(long a, long b) {
    long mixed = (a ^ Long.rotateLeft(b, 32)) * 0x9E3779B97F4A7C15L;
    int mask = table.length - 1;
    int slot = (int) (mixed >>> 32) & mask;
    for (int at = table[slot];
        at != 0 && (first[at - 1] != a || second[at - 1] != b);
        at = table[slot]) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
