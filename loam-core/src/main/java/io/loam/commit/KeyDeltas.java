package io.loam.commit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.store.FreshObject;
import io.loam.store.ObjectStore;
import io.loam.store.Ulid;
import java.util.List;
import java.util.Locale;

/** Reads and writes the key deltas of one collection. */
final class KeyDeltas {
  private static final int MAX_CACHED_ENTRIES = 100_000;

  private final ObjectStore store;
  private final Metastore metastore;

  /** What was written here, which later batches of this process are checked against. */
  private final Cache<String, KeyDelta> own =
      Caffeine.newBuilder()
          .maximumWeight(MAX_CACHED_ENTRIES)
          .weigher((String path, KeyDelta delta) -> 1 + delta.entries().size())
          .build();

  KeyDeltas(ObjectStore store, Metastore metastore) {
    this.store = store;
    this.metastore = metastore;
  }

  /** The keys that a version's commit changed. */
  KeyDelta read(Manifest manifest) {
    if (manifest.keyDelta().isEmpty()) {
      return new KeyDelta(List.of());
    }
    String path = metastore.path(manifest.keyDelta().get().path());
    KeyDelta known = own.getIfPresent(path);
    if (known != null) {
      return known;
    }
    byte[] bytes =
        store
            .get(path)
            .orElseThrow(
                () ->
                    new LoamException(
                        ErrorCode.MISSING_OBJECT,
                        "no such object: path=" + path + "; restore it from a copy"))
            .content();
    return KeyDelta.decode(bytes, path);
  }

  /** Writes a delta under a fresh name; see {@link ObjectStore#stage}. */
  FileRef stage(long version, KeyDelta delta) {
    byte[] bytes = delta.encode();
    String path = String.format(Locale.ROOT, "keys/%020d-%s.delta", version, Ulid.next());
    FreshObject.stage(store, metastore.path(path), bytes);
    own.put(metastore.path(path), delta);
    return FileRef.of(path, bytes);
  }
}
