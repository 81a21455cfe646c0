package io.loam.lance;

import io.loam.manifest.FileRef;
import java.nio.file.Path;

/** Keeps copies on this machine of what lies in a remote store. */
public interface LocalCopies {

  /** Room for all copies, in bytes. */
  long maxBytes();

  /**
   * Puts a checked copy of an object, or a link to one, at a path. Nobody writes to it.
   *
   * @param collectionFolder path of the collection in the store, with {@code /} at the end
   */
  void place(String collectionFolder, FileRef file, Path target);

  /** Takes over a file whose content is known to be that of an object, to spare its download. */
  void keep(String collectionFolder, FileRef file, Path source);

  /** A new, empty folder, which the caller removes. */
  Path newFolder();

  /** Removes a folder with all that is in it. */
  void remove(Path folder);
}
