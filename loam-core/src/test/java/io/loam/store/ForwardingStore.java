package io.loam.store;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A store before another one, for tests that get between them. */
public class ForwardingStore implements ObjectStore {
  private final ObjectStore store;

  protected ForwardingStore(ObjectStore store) {
    this.store = store;
  }

  @Override
  public Optional<StoredObject> get(String path) {
    return store.get(path);
  }

  @Override
  public byte[] getRange(String path, long offset, int length) {
    return store.getRange(path, offset, length);
  }

  @Override
  public OptionalLong size(String path) {
    return store.size(path);
  }

  @Override
  public Optional<String> putIfAbsent(String path, byte[] content) {
    return store.putIfAbsent(path, content);
  }

  @Override
  public Optional<String> stage(String path, byte[] content) {
    return store.stage(path, content);
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    return store.putFileIfAbsent(path, file);
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    return store.putIfMatch(path, content, tag);
  }

  @Override
  public List<ObjectInfo> list(String prefix) {
    return store.list(prefix);
  }

  @Override
  public void delete(String path) {
    store.delete(path);
  }

  @Override
  public void force(Collection<String> paths) {
    store.force(paths);
  }

  @Override
  public String uri(String path) {
    return store.uri(path);
  }

  @Override
  public Map<String, String> nativeOptions() {
    return store.nativeOptions();
  }

  @Override
  public Optional<Path> localPath(String path) {
    return store.localPath(path);
  }

  @Override
  public void close() {
    store.close();
  }
}
