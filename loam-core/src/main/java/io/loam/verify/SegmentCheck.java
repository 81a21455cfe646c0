package io.loam.verify;

import io.loam.leaf.CollectionFiles;
import io.loam.leaf.RowIdMap;
import io.loam.leaf.VersionIndex;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.VectorIndexRef;
import io.loam.vector.Segment;
import java.util.BitSet;

/** Compares the segments of vector indexes with what the manifest says of them. */
final class SegmentCheck {
  private final CollectionFiles files;
  private final Findings findings;

  SegmentCheck(CollectionFiles files, Findings findings) {
    this.files = files;
    this.findings = findings;
  }

  void check(VectorIndexRef index) {
    index.segments().forEach(segment -> check(index, segment));
  }

  private void check(VectorIndexRef index, SegmentRef ref) {
    String path = files.folder() + ref.file().path();
    String training = files.folder() + ref.training().path();
    if (findings.has(path) || findings.has(training)) {
      return;
    }
    findings
        .reading(training, () -> VersionIndex.training(files, ref.training(), index.fieldNumber()))
        .flatMap(
            trained ->
                findings.reading(path, () -> Segment.open(files.local(ref.file()), trained, path)))
        .ifPresent(segment -> check(path, ref, segment));
  }

  private void check(String path, SegmentRef ref, Segment segment) {
    if (segment.rows() != ref.vectors()) {
      findings.add(
          path,
          "another number of rows than expected",
          "rows=%d, expected=%d".formatted(segment.rows(), ref.vectors()));
    }
    RowIdMap covered = new RowIdMap(ref.rowIds());
    BitSet seen = new BitSet(covered.size());
    for (int row = 0; row < segment.rows(); row++) {
      long rowId = segment.rowIds().get(row);
      int place = covered.position(rowId);
      if (place < 0) {
        findings.add(path, "row that it does not cover", "rowId=" + rowId);
      } else if (seen.get(place)) {
        findings.add(path, "row twice", "rowId=" + rowId);
      } else {
        seen.set(place);
      }
    }
  }
}
