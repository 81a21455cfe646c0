package io.loam.commit;

import io.loam.manifest.Manifest;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Key;
import java.util.Map;
import java.util.Set;

/** Finds the live documents of one version by key and by row id. */
public interface KeyLookup extends AutoCloseable {

  /** Opens a lookup on a version. */
  @FunctionalInterface
  interface Opener {
    KeyLookup open(Manifest manifest, CollectionSchema schema);
  }

  /** Row ids of the live documents with these keys; keys without one are absent. */
  Map<Key, Long> rowIds(Set<Key> keys);

  /** Keys of the live documents with these row ids; row ids without one are absent. */
  Map<Long, Key> keys(Set<Long> rowIds);

  @Override
  void close();
}
