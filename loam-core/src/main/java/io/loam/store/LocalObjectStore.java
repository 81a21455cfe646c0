package io.loam.store;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Objects as files under a folder. */
@SuppressWarnings("DoNotCallSuggester")
public final class LocalObjectStore implements ObjectStore {
  public LocalObjectStore(Path root) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<StoredObject> get(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getRange(String path, long offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public OptionalLong size(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<String> putIfAbsent(String path, byte[] content) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<ObjectInfo> list(String prefix) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void force(Collection<String> paths) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String uri(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Path> localPath(String path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
