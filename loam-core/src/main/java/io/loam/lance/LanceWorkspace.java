package io.loam.lance;

import io.loam.manifest.FileRef;
import java.util.Collection;
import java.util.List;

/**
 * A local folder in which Lance writes files of a dataset: the dataset itself, or an empty one from
 * which they are uploaded, so that no failure of a network meets Lance while it writes. Paths are
 * relative to the dataset.
 */
public interface LanceWorkspace extends AutoCloseable {

  /** The folder, as Lance takes it. */
  String uri();

  /** Makes files of the dataset readable here, checked. */
  void bring(Collection<FileRef> files);

  /** Paths of all files that are here. */
  List<String> list();

  /** Length and checksum of a file just written. */
  FileRef describe(String path);

  /** Makes files just written part of the store; its {@code force} makes them stay. */
  void publish(Collection<String> paths);

  /** Removes the folder, unless it is the dataset. */
  @Override
  void close();
}
