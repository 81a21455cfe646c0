package io.loam.index;

import io.loam.lance.RowStretch;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.RowIdMap;
import io.loam.leaf.VersionIndex;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.store.FreshObject;
import io.loam.vector.SegmentFile;
import io.loam.vector.Training;
import java.nio.file.Path;
import java.util.List;

/** Builds one part of a plan: a pure function of both. */
final class PartBuilder {
  private final CollectionFiles files;
  private final OpenVersion version;
  private final BuildPlan plan;
  private final Runnable checkpoint;

  /**
   * @param version that the plan names
   * @param checkpoint called now and then; what it throws ends the work
   */
  PartBuilder(CollectionFiles files, OpenVersion version, BuildPlan plan, Runnable checkpoint) {
    this.files = files;
    this.version = version;
    this.plan = plan;
    this.checkpoint = checkpoint;
  }

  /** Builds the part and stores its file, unless it is there already. */
  void build(BuildPlan.Part part) {
    int field = plan.index().fieldNumber();
    Training training = VersionIndex.training(files, plan.training(), field);
    Path folder = files.copies().newFolder();
    try {
      Path file = folder.resolve("segment.ivf");
      SegmentFile.write(training, visitor -> visit(part, visitor), file, checkpoint);
      FreshObject.putFile(files.store(), files.folder() + part.path(), file);
    } finally {
      files.copies().remove(folder);
    }
  }

  private void visit(BuildPlan.Part part, SegmentFile.Visitor visitor) {
    List<RowIdRange> wanted = part.rowIds();
    RowIdMap members = new RowIdMap(wanted);
    for (FragmentRef fragment : version.manifest().fragments()) {
      List<RowIdRange> own = RowIdRanges.ascending(fragment.rowIds());
      if (RowIdRanges.overlap(own, wanted)) {
        version
            .reader(fragment.id())
            .scanVectors(
                fragment.id(),
                plan.index().fieldNumber(),
                RowStretch.of(fragment, wanted),
                (rowId, data, offset) -> {
                  if (members.position(rowId) >= 0) {
                    visitor.row(rowId, data, offset);
                  }
                },
                checkpoint);
      }
    }
  }
}
