package io.loam.leaf;

import io.loam.lance.LocalCopies;
import io.loam.manifest.FileRef;
import io.loam.store.ObjectStore;
import java.nio.file.Path;

/** Local copies of a store's objects in the cache folder. */
public record CachedCopies(ObjectStore store, FileCache cache) implements LocalCopies {
  @Override
  public long maxBytes() {
    return cache.maxBytes();
  }

  @Override
  public void place(String collectionFolder, FileRef file, Path target) {
    cache.place(store, collectionFolder, file, target);
  }

  @Override
  public void keep(String collectionFolder, FileRef file, Path source) {
    cache.keep(collectionFolder, file, source);
  }

  @Override
  public Path newFolder() {
    return cache.newFolder();
  }

  @Override
  public void remove(Path folder) {
    cache.remove(folder);
  }
}
