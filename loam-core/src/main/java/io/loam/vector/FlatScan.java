package io.loam.vector;

import io.loam.doc.TopHits;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.concurrent.atomic.DoubleAccumulator;

/** Scores the vectors that lists of {@link IndexKind#IVF_FLAT} hold. Used by one thread. */
final class FlatScan {
  /** Rows that are taken out of a file at once: few enough for a processor's first cache. */
  private static final int ROWS = 16;

  private final ExactScorer scorer;
  private final AllowedRows allowed;
  private final TopHits found;
  private final DoubleAccumulator sharedFloor;
  private final int dimension;

  /** What a row takes, in floats. */
  private final int stride;

  private final float[] vectors;

  /**
   * @param found takes the hits
   * @param sharedFloor score below which no row is wanted, shared with those that look at others
   */
  FlatScan(
      ExactScorer scorer,
      AllowedRows allowed,
      TopHits found,
      DoubleAccumulator sharedFloor,
      int dimension) {
    this.scorer = scorer;
    this.allowed = allowed;
    this.found = found;
    this.sharedFloor = sharedFloor;
    this.dimension = dimension;
    this.stride = dimension + Double.BYTES / Float.BYTES;
    this.vectors = new float[ROWS * stride];
  }

  TopHits found() {
    return found;
  }

  void scan(List<ListRows> block) {
    for (ListRows rows : block) {
      FloatBuffer scanned = rows.segment().scanned().asFloatBuffer();
      int end = rows.first() + rows.count();
      for (int first = rows.first(); first < end; first += ROWS) {
        int count = Math.min(ROWS, end - first);
        scanned.get(first * stride, vectors, 0, count * stride);
        sharedFloor.accumulate(found.floor());
        scan(rows.segment(), first, count, sharedFloor.get());
      }
    }
  }

  private void scan(Segment segment, int first, int count, double floor) {
    double least = floor;
    for (int i = 0; i < count; i++) {
      int offset = i * stride;
      double squaredNorm =
          segment.scanned().getDouble(((first + i) * stride + dimension) * Float.BYTES);
      double score = scorer.rank(vectors, offset, squaredNorm, least);
      if (score >= least && scorer.isNear(vectors, offset, squaredNorm)) {
        long place = allowed.place(segment, first + i);
        if (place >= 0) {
          found.offer(AllowedRows.leaf(place), AllowedRows.doc(place), score);
          least = Math.max(least, found.floor());
        }
      }
    }
  }
}
