package io.loam.verify;

import io.loam.leaf.RowIdMap;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.SegmentRef;
import io.loam.vector.Segment;
import io.loam.vector.SegmentComparison;
import java.util.Arrays;
import java.util.List;

/** A segment that can be opened, to be compared with the vectors of the rows that it covers. */
final class CheckedSegment {
  private static final int NONE = -1;

  private final String object;
  private final SegmentRef ref;
  private final Segment segment;
  private final Findings findings;
  private final SegmentComparison comparison;
  private final RowIdMap covered;

  /** By place among the covered rows, the row of the file. */
  private final int[] rows;

  CheckedSegment(String object, SegmentRef ref, Segment segment, Findings findings) {
    this.object = object;
    this.ref = ref;
    this.segment = segment;
    this.findings = findings;
    this.comparison = new SegmentComparison(segment);
    this.covered = new RowIdMap(ref.rowIds());
    this.rows = new int[covered.size()];
    Arrays.fill(rows, NONE);
  }

  /** Compares the file with itself and with its reference. */
  void run() {
    if (segment.rows() != ref.vectors()) {
      findings.add(
          object,
          "another number of rows than expected",
          "rows=%d, expected=%d".formatted(segment.rows(), ref.vectors()));
    }
    for (int row = 0; row < segment.rows(); row++) {
      long rowId = segment.rowIds().get(row);
      int place = covered.position(rowId);
      if (place < 0) {
        findings.add(object, "row that it does not cover", "rowId=" + rowId);
      } else if (rows[place] != NONE) {
        findings.add(object, "row twice", "rowId=" + rowId);
      } else {
        rows[place] = row;
      }
    }
  }

  /** Segments are built over rows of fragments only: others would never be searched. */
  void checkTail(RowIdRange tail) {
    if (RowIdRanges.overlap(ref.rowIds(), List.of(tail))) {
      findings.add(
          object,
          "covers rows of the tail",
          "rowIds=%d-%d".formatted(tail.start(), tail.end() - 1));
    }
  }

  boolean overlaps(List<RowIdRange> ascending) {
    return RowIdRanges.overlap(ref.rowIds(), ascending);
  }

  /** Told of each live row that has a vector. */
  void see(long rowId, float[] data, int offset) {
    int place = covered.position(rowId);
    if (place < 0) {
      return;
    }
    if (rows[place] == NONE) {
      findings.add(object, "lacks a row that it covers", "rowId=" + rowId);
    } else if (!comparison.isOf(rows[place], data, offset)) {
      findings.add(object, "code of another vector than the row's", "rowId=" + rowId);
    }
  }
}
