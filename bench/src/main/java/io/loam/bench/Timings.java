package io.loam.bench;

import java.util.Arrays;

/** Times of one kind of work. */
final class Timings {
  private long[] nanos = new long[1024];
  private int count;

  void add(long time) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = time;
  }

  void addAll(Timings others) {
    for (int i = 0; i < others.count; i++) {
      add(others.nanos[i]);
    }
  }

  /** The smallest time that at least this fraction of the times does not exceed, in ms. */
  double quantileMillis(double fraction) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.max(0, (int) Math.ceil(fraction * count) - 1)] / 1e6;
  }
}
