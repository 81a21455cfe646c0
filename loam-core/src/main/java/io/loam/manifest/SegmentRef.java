package io.loam.manifest;

import java.util.List;

/**
 * One segment of a vector index. It covers rows by their ids, which neither compaction nor the
 * merging of splits changes.
 *
 * @param ulid names the segment; never reused
 * @param file the lists of vectors
 * @param training what the segments of one build share
 * @param rowIds covered rows, ascending: the file has those of them that had a vector and were not
 *     deleted when it was built
 * @param vectors rows in the file
 */
public record SegmentRef(
    String ulid, FileRef file, FileRef training, List<RowIdRange> rowIds, int vectors) {
  public SegmentRef {
    rowIds = List.copyOf(rowIds);
  }

  /** Covered rows, whatever became of them. */
  public long rows() {
    return rowIds.stream().mapToLong(RowIdRange::count).sum();
  }

  /** Whether a row is covered by both. */
  public boolean overlaps(SegmentRef other) {
    return RowIdRanges.overlap(rowIds, other.rowIds);
  }
}
