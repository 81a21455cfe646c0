package io.loam.manifest;

import io.loam.store.ObjectStore;
import java.util.List;
import java.util.Optional;

/** Names of collections. */
@SuppressWarnings("DoNotCallSuggester")
public final class Catalog {
  public Catalog(ObjectStore store) {
    throw new UnsupportedOperationException();
  }

  public Optional<String> find(String schema, String name) {
    throw new UnsupportedOperationException();
  }

  public boolean create(String schema, String name, String collectionId) {
    throw new UnsupportedOperationException();
  }

  public boolean drop(String schema, String name) {
    throw new UnsupportedOperationException();
  }

  public List<String> list(String schema) {
    throw new UnsupportedOperationException();
  }

  public List<String> schemas() {
    throw new UnsupportedOperationException();
  }
}
