package io.loam.leaf;

import io.loam.doc.DocSet;
import io.loam.manifest.FileRef;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.VectorIndexRef;
import io.loam.store.Envelope;
import io.loam.vector.IndexOptions;
import io.loam.vector.Segment;
import io.loam.vector.SegmentSet;
import io.loam.vector.Training;
import java.util.List;

/** A vector index in one version, over its leaves. Safe for use by several threads. */
public final class VersionIndex {
  /** Around what {@link Training#encode} gives. */
  public static final String TRAINING_MAGIC = "LIVT";

  public static final int TRAINING_FORMAT = 1;

  private final CollectionFiles files;
  private final VectorIndexRef ref;
  private final IndexOptions options;
  private final LeafPlaces places;
  private final List<DocSet> covered;

  VersionIndex(CollectionFiles files, VectorIndexRef ref, List<Leaf> leaves) {
    this.files = files;
    this.ref = ref;
    this.options = IndexOptions.of(ref.options());
    this.places = new LeafPlaces(leaves);
    List<RowIdRange> rows = ref.covered();
    this.covered = leaves.stream().map(leaf -> CoveredDocs.of(leaf, rows)).toList();
  }

  public VectorIndexRef ref() {
    return ref;
  }

  public IndexOptions options() {
    return options;
  }

  /** The documents of each leaf that segments cover. */
  public List<DocSet> covered() {
    return covered;
  }

  /** The segments, opened now if they are not. */
  public SegmentSet segments() {
    List<Segment> open = ref.segments().stream().map(this::open).toList();
    long rows = ref.segments().stream().mapToLong(SegmentRef::rows).sum();
    return new SegmentSet(open, places, options.probes(), rows);
  }

  private Segment open(SegmentRef segment) {
    FileRef file = segment.file();
    return files
        .memory()
        .get(
            new MemoryBudget.Slot(file.path(), ref.fieldNumber(), Segment.class),
            () ->
                Segment.open(
                    files.local(file),
                    training(files, segment.training(), ref.fieldNumber()),
                    file.path()),
            Segment::sizeInBytes);
  }

  /** A training, read once. */
  public static Training training(CollectionFiles files, FileRef file, int fieldNumber) {
    return files
        .memory()
        .get(
            new MemoryBudget.Slot(file.path(), fieldNumber, Training.class),
            () ->
                Training.decode(
                    Envelope.unwrap(TRAINING_MAGIC, TRAINING_FORMAT, files.read(file), file.path()),
                    file.path()),
            Training::sizeInBytes);
  }
}
