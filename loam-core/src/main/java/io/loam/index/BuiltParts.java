package io.loam.index;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.CollectionFiles;
import io.loam.manifest.FileRef;
import io.loam.manifest.Head;
import io.loam.manifest.SegmentRef;
import io.loam.store.FreshObject;
import io.loam.store.ObjectStore;
import io.loam.store.Ulid;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                        copy(segment.file(), "segments/" + ulid + ".ivf"),
                        trainings.computeIfAbsent(
                            segment.training(), t -> copy(t, "training/" + Ulid.next() + ".bin")),
                        segment.rowIds(),
                        segment.vectors());
                  })
              .toList();
      gcEpoch = head.gcEpoch();
    }
    return segments;
  }

  private FileRef copy(FileRef file, String path) {
    Path folder = files.copies().newFolder();
    try {
      Path copy = folder.resolve("copy");
      String source = files.folder() + file.path();
      try (OutputStream out = Files.newOutputStream(copy)) {
        for (long at = 0; at < file.size(); at += ObjectStore.PART_BYTES) {
          int length = (int) Math.min(ObjectStore.PART_BYTES, file.size() - at);
          out.write(files.store().getRange(source, at, length));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      FreshObject.putFile(files.store(), files.folder() + path, copy);
      FileRef copied =
          new FileRef(path, file.size(), files.store().crc32c(files.folder() + path, file.size()));
      if (copied.crc32c() != file.crc32c()) {
        throw new LoamException(
            ErrorCode.CORRUPT_OBJECT,
            "object changed while it was copied: path=" + source + "; try again");
      }
      return copied;
    } finally {
      files.copies().remove(folder);
    }
  }
}
