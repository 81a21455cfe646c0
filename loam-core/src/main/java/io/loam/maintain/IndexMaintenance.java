package io.loam.maintain;

import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.VectorIndexRef;
import io.loam.schema.CollectionSchema;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What maintenance does to vector indexes. */
public interface IndexMaintenance {
  /** What a segment of an index should take at most. */
  long maxSegmentBytes(VectorIndexRef index);

  /** Live rows of a version that its segments cover, by name of the segment. */
  Map<String, Integer> liveRows(Manifest manifest, CollectionSchema schema);

  /**
   * Does {@link Task.IndexRows} or {@link Task.RebuildSegments} in the newest version; tells which
   * one has the result, or nothing where others were faster.
   *
   * @param check of every head before it is swapped; called now and then beside
   */
  Optional<Long> run(Task task, Consumer<Head> check);
}
