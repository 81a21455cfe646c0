package io.loam.verify;

import io.loam.leaf.CollectionFiles;
import io.loam.leaf.VersionIndex;
import io.loam.manifest.Manifest;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.VectorIndexRef;
import io.loam.vector.Segment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the segments of vector indexes with what the manifest says of them and with the vectors
 * of the rows that they cover.
 */
final class SegmentCheck {
  private final CollectionFiles files;
  private final Manifest manifest;
  private final Findings findings;

  SegmentCheck(CollectionFiles files, Manifest manifest, Findings findings) {
    this.files = files;
    this.manifest = manifest;
    this.findings = findings;
  }

  /** Checks all segments that can be read. */
  void run(LanceCheck lance) {
    Map<Integer, List<CheckedSegment>> byField = new LinkedHashMap<>();
    for (VectorIndexRef index : manifest.indexes()) {
      for (SegmentRef ref : index.segments()) {
        open(index, ref)
            .ifPresent(
                segment ->
                    byField
                        .computeIfAbsent(index.fieldNumber(), f -> new ArrayList<>())
                        .add(segment));
      }
    }
    byField.forEach(
        (field, segments) -> {
          for (CheckedSegment segment : segments) {
            segment.run();
            manifest.tail().forEach(tail -> segment.checkTail(tail.rowIds()));
          }
          lance.compareVectors(field, segments);
        });
  }

  private Optional<CheckedSegment> open(VectorIndexRef index, SegmentRef ref) {
    String path = files.folder() + ref.file().path();
    String training = files.folder() + ref.training().path();
    if (findings.has(path) || findings.has(training)) {
      return Optional.empty();
    }
    return findings
        .reading(training, () -> VersionIndex.training(files, ref.training(), index.fieldNumber()))
        .flatMap(
            trained ->
                findings.reading(path, () -> Segment.open(files.local(ref.file()), trained, path)))
        .map(segment -> new CheckedSegment(path, ref, segment, findings));
  }
}
