package io.loam.index;

import io.loam.leaf.CoveredDocs;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.VersionOpener;
import io.loam.maintain.IndexMaintenance;
import io.loam.maintain.Task;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.VectorIndexRef;
import io.loam.schema.CollectionSchema;
import io.loam.vector.IndexOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Maintenance of vector indexes. */
public final class SegmentUpkeep implements IndexMaintenance {
  private final Metastore metastore;
  private final VersionOpener opener;
  private final IndexBuilds builds;
  private final IndexBuilds.Versions versions;

  public SegmentUpkeep(
      Metastore metastore,
      VersionOpener opener,
      IndexBuilds builds,
      IndexBuilds.Versions versions) {
    this.metastore = metastore;
    this.opener = opener;
    this.builds = builds;
    this.versions = versions;
  }

  @Override
  public long maxSegmentBytes(VectorIndexRef index) {
    return IndexOptions.of(index.options()).maxSegmentBytes();
  }

  @Override
  public Map<String, Integer> liveRows(Manifest manifest, CollectionSchema schema) {
    OpenVersion version = opener.acquire(manifest, schema);
    try {
      Map<String, Integer> live = new HashMap<>();
      for (VectorIndexRef index : manifest.indexes()) {
        index.segments().forEach(s -> live.put(s.ulid(), liveRows(version, s)));
      }
      return live;
    } finally {
      opener.release(version);
    }
  }

  private static int liveRows(OpenVersion version, SegmentRef segment) {
    return version.leaves().stream()
        .mapToInt(leaf -> CoveredDocs.of(leaf, segment.rowIds()).and(leaf.live()).cardinality())
        .sum();
  }

  @Override
  public Optional<Long> run(Task task, Consumer<Head> check) {
    Head head = metastore.head().value();
    try (IndexBuilds.Pinned pinned = versions.open(head)) {
      Manifest manifest = pinned.version().manifest();
      if (task instanceof Task.IndexRows rows) {
        return manifest
            .index(rows.index())
            .map(
                index -> {
                  List<RowIdRange> left = RowIdRanges.difference(rows.rowIds(), index.covered());
                  return new Work(index, left, Set.of());
                })
            .flatMap(work -> build(pinned, head, work, check));
      }
      Task.RebuildSegments rebuild = (Task.RebuildSegments) task;
      return manifest
          .index(rebuild.index())
          .flatMap(index -> rebuilding(index, Set.copyOf(rebuild.segments())))
          .flatMap(work -> build(pinned, head, work, check));
    }
  }

  private record Work(VectorIndexRef index, List<RowIdRange> rowIds, Set<String> removed) {}

  private static Optional<Work> rebuilding(VectorIndexRef index, Set<String> names) {
    List<RowIdRange> rowIds = new ArrayList<>();
    int found = 0;
    for (SegmentRef segment : index.segments()) {
      if (names.contains(segment.ulid())) {
        rowIds.addAll(segment.rowIds());
        found++;
      }
    }
    return found == names.size()
        ? Optional.of(new Work(index, RowIdRanges.ascending(rowIds), names))
        : Optional.empty();
  }

  private Optional<Long> build(
      IndexBuilds.Pinned pinned, Head head, Work work, Consumer<Head> check) {
    return builds.build(pinned, head, work.index(), work.rowIds(), work.removed(), check);
  }
}
