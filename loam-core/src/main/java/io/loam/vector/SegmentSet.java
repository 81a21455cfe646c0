package io.loam.vector;

import java.util.List;

/**
 * The segments of one index in one version.
 *
 * @param segments over rows that no two of them share
 * @param places of their rows
 * @param probes lists to look at in each segment, or 0 for a good part of them, or of their rows
 * @param rows that the segments cover, those deleted and those without a vector among them
 */
public record SegmentSet(List<Segment> segments, RowPlaces places, int probes, long rows) {
  /** Lists that are looked at, at least. */
  private static final int LEAST_PROBES = 20;

  /** The part of the lists that is looked at: one in so many. */
  private static final int PROBED_PART = 16;

  /**
   * Rows that are looked at, at least, for each that is wanted: the best of many are spread over
   * more lists than the best of few.
   */
  private static final int ROWS_PER_HIT = 20;

  /** How many rows are looked at, at least, for the best k, if nothing else is asked for. */
  public static long leastRows(int k) {
    return (long) ROWS_PER_HIT * k;
  }

  /** How many of {@code lists} are looked at if nothing else is asked for. */
  static int usualProbes(int lists) {
    return Math.min(lists, Math.max(LEAST_PROBES, (lists + PROBED_PART - 1) / PROBED_PART));
  }
}
