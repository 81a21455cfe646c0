package io.loam.vector;

import java.util.Arrays;

/** Rows of segments whose value, known to lie between two bounds, may be among the greatest. */
final class SegmentCandidates {
  private final GreatestFloats lowest;
  private float threshold;
  private Segment[] segments = new Segment[256];
  private int[] rows = new int[256];
  private long[] places = new long[256];
  private float[] uppers = new float[256];
  private int size;

  /**
   * @param kept how many of the greatest lower bounds decide
   * @param floor value below which no row is wanted
   */
  SegmentCandidates(int kept, float floor) {
    this.lowest = new GreatestFloats(kept);
    this.threshold = floor;
  }

  /** The least upper bound that makes a candidate. */
  float threshold() {
    return threshold;
  }

  int size() {
    return size;
  }

  /** Whether bounds make a candidate; where a sum overflowed, nothing is known. */
  boolean mayBe(float lower, float upper) {
    return upper >= threshold || !isKnown(lower, upper);
  }

  private static boolean isKnown(float lower, float upper) {
    return upper - lower <= Float.MAX_VALUE;
  }

  void add(Segment segment, int row, long place, float lower, float upper) {
    boolean known = isKnown(lower, upper);
    if (size == rows.length) {
      segments = Arrays.copyOf(segments, 2 * size);
      rows = Arrays.copyOf(rows, 2 * size);
      places = Arrays.copyOf(places, 2 * size);
      uppers = Arrays.copyOf(uppers, 2 * size);
    }
    segments[size] = segment;
    rows[size] = row;
    places[size] = place;
    uppers[size++] = known ? upper : Float.POSITIVE_INFINITY;
    lowest.offer(known ? lower : Float.NEGATIVE_INFINITY);
    threshold = Math.max(threshold, lowest.kth());
  }

  /** Those that are left, with the closer bounds that a scan gives. */
  SegmentCandidates refined(ListScan scan, int kept, float floor) {
    SegmentCandidates closer = new SegmentCandidates(kept, floor);
    for (int i = 0; i < size; i++) {
      if (uppers[i] >= threshold) {
        long bounds = scan.refine(segments[i], rows[i]);
        float lower = ListScan.lower(bounds);
        float upper = ListScan.upper(bounds);
        if (closer.mayBe(lower, upper)) {
          closer.add(segments[i], rows[i], places[i], lower, upper);
        }
      }
    }
    return closer;
  }

  /** The places of those that are left. */
  long[] places() {
    long[] left = new long[size];
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (uppers[i] >= threshold) {
        left[count++] = places[i];
      }
    }
    return Arrays.copyOf(left, count);
  }
}
