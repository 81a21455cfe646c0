package io.loam.manifest;

import io.loam.schema.CollectionSchema;
import io.loam.store.ObjectStore;
import java.util.Optional;

/** The pointers and metadata objects of one collection. */
@SuppressWarnings("DoNotCallSuggester")
public final class Metastore {
  public Metastore(ObjectStore store, String collectionId) {
    throw new UnsupportedOperationException();
  }

  public Versioned<Head> head() {
    throw new UnsupportedOperationException();
  }

  public Optional<Versioned<Head>> swapHead(Versioned<Head> expected, Head next) {
    throw new UnsupportedOperationException();
  }

  public void createHead(Head head) {
    throw new UnsupportedOperationException();
  }

  public IdBlock reserve(long rows, int fragments) {
    throw new UnsupportedOperationException();
  }

  public Manifest readManifest(String path) {
    throw new UnsupportedOperationException();
  }

  public String writeManifest(Manifest manifest) {
    throw new UnsupportedOperationException();
  }

  public CollectionSchema readSchema(String path) {
    throw new UnsupportedOperationException();
  }

  public String writeSchema(CollectionSchema schema) {
    throw new UnsupportedOperationException();
  }

  public String path(String relative) {
    throw new UnsupportedOperationException();
  }
}
