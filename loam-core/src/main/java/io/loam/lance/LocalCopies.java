package io.loam.lance;

import io.loam.manifest.FileRef;
import java.nio.file.Path;

/** Gives copies on this machine of what lies in a remote store. */
public interface LocalCopies {

  /**
   * A checked copy that nobody writes to; it may go at any time.
   *
   * @param collectionFolder path of the collection in the store, with {@code /} at the end
   */
  Path copy(String collectionFolder, FileRef file);

  /** A new, empty folder, which the caller removes. */
  Path newFolder();

  /** Removes a folder with all that is in it. */
  void remove(Path folder);
}
