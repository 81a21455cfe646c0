package io.loam.leaf;

import io.loam.lance.LanceFiles;
import io.loam.lance.LanceStore;
import io.loam.manifest.FileRef;
import io.loam.store.ObjectStore;
import io.loam.text.SplitCache;
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
    SplitCache splits,
    MemoryBudget memory) {

  /** Takes over a local file that was just stored as an object, where that spares a download. */
  public void keep(FileRef file, Path source) {
    if (store.localPath(folder + file.path()).isEmpty()) {
      splits.keep(folder, file, source);
    }
  }

  /** A local, checked copy of an object. */
  public Path local(FileRef file) {
    return splits.file(store, folder, file);
  }
}
