package io.loam.index;

import io.loam.leaf.CollectionFiles;
import io.loam.manifest.FileRef;
import io.loam.manifest.Head;
import io.loam.manifest.SegmentRef;
import io.loam.store.Ulid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Segments that were built under one gc epoch. No version of another may name them, since what
 * collected garbage meanwhile might take them for such: for that they are stored under fresh names.
 */
final class BuiltParts {
  private final CollectionFiles files;
  private List<SegmentRef> segments;
  private long gcEpoch;

  /**
   * @param head read before anything of the segments was written
   */
  BuiltParts(CollectionFiles files, List<SegmentRef> segments, Head head) {
    this.files = files;
    this.segments = segments;
    this.gcEpoch = head.gcEpoch();
  }

  boolean isEmpty() {
    return segments.isEmpty();
  }

  /** The segments as a version that follows a head may name them. */
  List<SegmentRef> under(Head head) {
    if (head.gcEpoch() != gcEpoch) {
      Map<FileRef, FileRef> trainings = new HashMap<>();
      segments =
          segments.stream()
              .map(
                  segment -> {
                    String ulid = Ulid.next();
                    return new SegmentRef(
                        ulid,
                        files.copy(segment.file(), "segments/" + ulid + ".ivf"),
                        trainings.computeIfAbsent(
                            segment.training(), t -> files.copy(t, "training/" + Ulid.next() + ".bin")),
                        segment.rowIds(),
                        segment.vectors());
                  })
              .toList();
      gcEpoch = head.gcEpoch();
    }
    return segments;
  }
}
