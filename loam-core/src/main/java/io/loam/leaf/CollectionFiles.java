package io.loam.leaf;

import io.loam.lance.LanceFiles;
import io.loam.lance.LanceStore;
import io.loam.manifest.FileRef;
import io.loam.store.ObjectStore;
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

  /** A local, checked copy of an object. */
  public Path local(FileRef file) {
    return copies.file(store, folder, file);
  }
}
