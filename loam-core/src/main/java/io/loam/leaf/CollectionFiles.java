package io.loam.leaf;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceStore;
import io.loam.manifest.FileRef;
import io.loam.store.FreshObject;
import io.loam.store.LocalFiles;
import io.loam.store.ObjectStore;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a collection's objects are and how they are opened.
 *
 * @param folder path of the collection in the store, with {@code /} at the end
 */
public record CollectionFiles(
    ObjectStore store,
    String folder,
    LanceStore lance,
    LanceFiles lanceFiles,
    FileCache copies,
    MemoryBudget memory) {

  /** Takes over a local file that was just stored as an object, where that spares a download. */
  public void keep(FileRef file, Path source) {
    if (store.localPath(folder + file.path()).isEmpty()) {
      copies.keep(folder, file, source);
    }
  }

  /** Writes an object that is not on stable storage yet; see {@link ObjectStore#stage}. */
  public FileRef stage(String path, byte[] content) {
    FreshObject.stage(store, folder + path, content);
    return FileRef.of(path, content);
  }

  /**
   * Stores an object's content under a fresh name, on stable storage when this returns. Fails with
   * {@code MISSING_OBJECT}, {@code STORE_UNAVAILABLE} or {@code CORRUPT_OBJECT} where the object is
   * not there any more as it was.
   */
  public FileRef copy(FileRef file, String path) {
    Path scratch = copies.newFolder();
    try {
      Path source = scratch.resolve("copy");
      download(file, source);
      FileRef copied = new FileRef(path, Files.size(source), LocalFiles.crc32c(source));
      if (!copied.equals(new FileRef(path, file.size(), file.crc32c()))) {
        throw new LoamException(
            ErrorCode.CORRUPT_OBJECT,
            "object changed while it was copied: path=" + folder + file.path() + "; try again");
      }
      FreshObject.putFile(store, folder + path, source);
      return copied;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      copies.remove(scratch);
    }
  }

  private void download(FileRef file, Path target) throws IOException {
    try (OutputStream out = Files.newOutputStream(target)) {
      for (long at = 0; at < file.size(); at += ObjectStore.PART_BYTES) {
        int length = (int) Math.min(ObjectStore.PART_BYTES, file.size() - at);
        out.write(store.getRange(folder + file.path(), at, length));
      }
    }
  }

  /**
   * A small object's content, checked. Fails with {@code MISSING_OBJECT} or {@code CORRUPT_OBJECT}.
   */
  byte[] read(FileRef file) {
    String path = folder + file.path();
    byte[] content =
        store
            .get(path)
            .orElseThrow(
                () ->
                    new LoamException(
                        ErrorCode.MISSING_OBJECT,
                        "no such object: path=" + path + "; restore it from a copy"))
            .content();
    FileRef found = FileRef.of(file.path(), content);
    if (!found.equals(file)) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "object damaged: path=%s, bytes=%d, wanted=%d, crc32c=%08x, wanted=%08x; restore it from a copy"
              .formatted(path, found.size(), file.size(), found.crc32c(), file.crc32c()));
    }
    return content;
  }

  /** A local, checked copy of an object. */
  public Path local(FileRef file) {
    return copies.file(store, folder, file);
  }
}
