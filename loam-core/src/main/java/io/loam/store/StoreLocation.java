package io.loam.store;

import java.nio.file.Path;

/** Where a warehouse's objects are. Equal locations may share what is open. */
public sealed interface StoreLocation {

  /** Opens the store, to be closed by the caller. */
  ObjectStore open();

  /**
   * A folder of a local file system.
   *
   * @param path made by the first write if it is missing
   */
  record Folder(Path path) implements StoreLocation {
    @Override
    public ObjectStore open() {
      return new LocalObjectStore(path);
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** A part of a bucket. */
  record Bucket(S3Settings settings) implements StoreLocation {
    @Override
    public ObjectStore open() {
      return new S3ObjectStore(settings);
    }

    @Override
    public String toString() {
      return settings.uri();
    }
  }
}
