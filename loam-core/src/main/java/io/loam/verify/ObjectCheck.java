package io.loam.verify;

import io.loam.manifest.FileRef;
import io.loam.store.ObjectStore;
import java.util.OptionalLong;

/** Compares objects in the store with the lengths and checksums that a manifest has of them. */
final class ObjectCheck {
  private final ObjectStore store;
  private final String folder;
  private final Findings findings;
  private int objects;
  private long bytes;

  ObjectCheck(ObjectStore store, String folder, Findings findings) {
    this.store = store;
    this.folder = folder;
    this.findings = findings;
  }

  void check(FileRef file) {
    String path = folder + file.path();
    objects++;
    bytes += file.size();
    findings.reading(path, () -> compare(path, file));
  }

  private FileRef compare(String path, FileRef file) {
    OptionalLong size = store.size(path);
    if (size.isEmpty()) {
      findings.add(path, "missing", "expectedBytes=" + file.size());
    } else if (size.getAsLong() != file.size()) {
      findings.add(
          path,
          "wrong length",
          "bytes=%d, expectedBytes=%d".formatted(size.getAsLong(), file.size()));
    } else {
      int crc = store.crc32c(path, file.size());
      if (crc != file.crc32c()) {
        findings.add(
            path, "wrong checksum", "crc32c=%08x, expected=%08x".formatted(crc, file.crc32c()));
      }
    }
    return file;
  }

  int objects() {
    return objects;
  }

  long bytes() {
    return bytes;
  }
}
