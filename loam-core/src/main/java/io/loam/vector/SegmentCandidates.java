package io.loam.vector;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.DoubleAccumulator;

/**
 * Rows of segments whose value, known to lie between two bounds, may be among the greatest. Which
 * ones are left in the end depends on neither the order in which rows are offered nor on how they
 * are spread over several of these: a row is, if its upper bound reaches the k-th greatest lower
 * bound of all.
 */
final class SegmentCandidates {
  private final GreatestFloats lowest;
  private final DoubleAccumulator floor;
  private final AllowedRows allowed;
  private float threshold;
  private Segment[] segments = new Segment[256];
  private int[] rows = new int[256];
  private long[] places = new long[256];
  private float[] lowers = new float[256];
  private float[] uppers = new float[256];
  private int size;

  /**
   * @param kept how many of the greatest lower bounds decide
   * @param floor value below which no row is wanted, shared with those that look at other rows
   */
  SegmentCandidates(int kept, DoubleAccumulator floor, AllowedRows allowed) {
    this.lowest = new GreatestFloats(kept);
    this.floor = floor;
    this.allowed = allowed;
    this.threshold = (float) floor.get();
  }

  /** What several have found, as if one had. */
  static SegmentCandidates merged(List<SegmentCandidates> parts) {
    SegmentCandidates first = parts.get(0);
    first.learn();
    for (SegmentCandidates part : parts.subList(1, parts.size())) {
      for (int i = 0; i < part.size; i++) {
        if (part.uppers[i] >= first.threshold) {
          first.add(part.segments[i], part.rows[i], part.places[i], part.lowers[i], part.uppers[i]);
        }
      }
    }
    return first;
  }

  /** Takes part in what others have found; called now and then. */
  void learn() {
    floor.accumulate(threshold());
    threshold = (float) floor.get();
  }

  /** The least upper bound that makes a candidate. */
  float threshold() {
    return Math.max(threshold, lowest.kth());
  }

  /** Takes a row if it is allowed and its bounds make it a candidate. */
  void offer(Segment segment, int row, float lower, float upper) {
    // Where a sum overflowed, nothing is known.
    boolean known = upper - lower <= Float.MAX_VALUE;
    if (upper >= threshold || !known) {
      long place = allowed.place(segment, row);
      if (place >= 0) {
        add(
            segment,
            row,
            place,
            known ? lower : Float.NEGATIVE_INFINITY,
            known ? upper : Float.POSITIVE_INFINITY);
      }
    }
  }

  private void add(Segment segment, int row, long place, float lower, float upper) {
    if (size == rows.length) {
      segments = Arrays.copyOf(segments, 2 * size);
      rows = Arrays.copyOf(rows, 2 * size);
      places = Arrays.copyOf(places, 2 * size);
      lowers = Arrays.copyOf(lowers, 2 * size);
      uppers = Arrays.copyOf(uppers, 2 * size);
    }
    segments[size] = segment;
    rows[size] = row;
    places[size] = place;
    lowers[size] = lower;
    uppers[size++] = upper;
    lowest.offer(lower);
    threshold = threshold();
  }

  /** A floor that can be shared. */
  static DoubleAccumulator floor(double value) {
    return new DoubleAccumulator(Math::max, value);
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
