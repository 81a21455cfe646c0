package io.loam.index;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.RowIdMap;
import io.loam.leaf.VersionIndex;
import io.loam.manifest.FileRef;
import io.loam.manifest.SegmentRef;
import io.loam.vector.Segment;
import io.loam.vector.Training;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.BitSet;

/** Looks at what was built before anybody relies on it. */
final class PartCheck {
  private PartCheck() {}

  /** The segment that a part became. Fails with {@code CORRUPT_OBJECT} where it is not one. */
  static SegmentRef check(CollectionFiles files, BuildPlan plan, BuildPlan.Part part) {
    String path = files.folder() + part.path();
    long size =
        files
            .store()
            .size(path)
            .orElseThrow(
                () ->
                    new LoamException(
                        ErrorCode.MISSING_OBJECT,
                        "a part of an index was not built: part=" + path + "; build it again"));
    FileRef file = new FileRef(part.path(), size, files.store().crc32c(path, size));
    Path local = files.local(file);
    Training training = VersionIndex.training(files, plan.training(), plan.index().fieldNumber());
    Segment segment = Segment.open(local, training, path);
    if (!segment.isSound()) {
      throw wrong(path, "its checksum differs");
    }
    if (!segment.namesTraining()) {
      throw wrong(path, "it is of an older format, which does not tell its training");
    }
    checkRows(part, segment.rowIds(), path);
    return new SegmentRef(part.ulid(), file, plan.training(), part.rowIds(), segment.rows());
  }

  private static void checkRows(BuildPlan.Part part, LongBuffer rowIds, String path) {
    RowIdMap members = new RowIdMap(part.rowIds());
    BitSet seen = new BitSet(members.size());
    for (int row = 0; row < rowIds.limit(); row++) {
      int place = members.position(rowIds.get(row));
      if (place < 0 || seen.get(place)) {
        throw wrong(path, "it has row " + rowIds.get(row) + (place < 0 ? "" : " twice"));
      }
      seen.set(place);
    }
  }

  private static LoamException wrong(String path, String problem) {
    return new LoamException(
        ErrorCode.CORRUPT_OBJECT,
        "a part of an index was built wrongly: part="
            + path
            + ", problem="
            + problem
            + "; build it again");
  }
}
