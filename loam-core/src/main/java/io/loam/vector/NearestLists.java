package io.loam.vector;

/**
 * Lists of an index, the nearest first and equally near ones by number: as a heap, since only the
 * first of many are wanted as a rule.
 */
final class NearestLists {
  private static final int MAGNITUDE = 0x7FFF_FFFF;

  /** Less is nearer: how near it is in the upper 32 bits, the list in the lower ones. */
  private final long[] heap;

  private int size;

  /**
   * @param nearness by list; greater is nearer
   */
  NearestLists(float[] nearness) {
    this.heap = new long[nearness.length];
    this.size = heap.length;
    for (int list = 0; list < size; list++) {
      heap[list] = (long) ~ordered(nearness[list]) << Integer.SIZE | list;
    }
    for (int place = size / 2 - 1; place >= 0; place--) {
      down(place, heap[place]);
    }
  }

  /** A number that is ordered among its like as {@link Float#compare} orders floats. */
  private static int ordered(float number) {
    int bits = Float.floatToIntBits(number);
    return bits < 0 ? bits ^ MAGNITUDE : bits;
  }

  /** How many are left. */
  int size() {
    return size;
  }

  /** Takes the next one. */
  int next() {
    int list = (int) heap[0];
    size--;
    down(0, heap[size]);
    return list;
  }

  /** Puts a key in place, or below what is less. */
  private void down(int from, long key) {
    int place = from;
    for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && heap[child + 1] < heap[child]) {
        child++;
      }
      if (heap[child] >= key) {
        break;
      }
      heap[place] = heap[child];
      place = child;
    }
    if (size > 0) {
      heap[place] = key;
    }
  }
}
