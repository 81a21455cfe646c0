package io.loam;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.schema.CollectionSchema;

/** Manifests and schemas, which never change, by path; the head is read anew each time. */
final class MetadataCache {
  private static final int MANIFESTS = 64;
  private static final int SCHEMAS = 16;

  private final Metastore metastore;
  private final Cache<String, Manifest> manifests =
      Caffeine.newBuilder().maximumSize(MANIFESTS).build();
  private final Cache<String, CollectionSchema> schemas =
      Caffeine.newBuilder().maximumSize(SCHEMAS).build();

  MetadataCache(Metastore metastore) {
    this.metastore = metastore;
  }

  Head head() {
    return metastore.head().value();
  }

  Manifest manifest(String path) {
    return manifests.get(path, metastore::readManifest);
  }

  CollectionSchema schema(String path) {
    return schemas.get(path, metastore::readSchema);
  }
}
