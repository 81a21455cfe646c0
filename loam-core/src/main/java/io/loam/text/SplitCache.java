package io.loam.text;

import io.loam.manifest.FileRef;
import io.loam.manifest.SplitRef;
import io.loam.store.ObjectStore;
import java.nio.file.Path;

/**
 * The local cache of unpacked splits and of the files beside them, bounded in size, least recently
 * used first out. Safe for use by several threads and processes.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class SplitCache {
  /**
   * @param folder of this cache, made if it is missing
   * @param maxBytes size past which files that nobody has open are deleted
   */
  public SplitCache(Path folder, long maxBytes) {
    throw new UnsupportedOperationException();
  }

  /**
   * Opens a split's native index, fetching, checking and unpacking the bundle first if need be. The
   * caller closes it.
   *
   * @param collectionPrefix prepended to the paths in {@code split}; ends in {@code /}
   */
  public SplitIndex open(ObjectStore store, String collectionPrefix, SplitRef split) {
    throw new UnsupportedOperationException();
  }

  /**
   * A local, checked copy of an object: the object itself in a local store.
   *
   * @param collectionPrefix prepended to the path in {@code file}; ends in {@code /}
   */
  public Path file(ObjectStore store, String collectionPrefix, FileRef file) {
    throw new UnsupportedOperationException();
  }
}
