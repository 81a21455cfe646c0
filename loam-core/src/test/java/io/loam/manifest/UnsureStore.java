package io.loam.manifest;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.ObjectStore;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A store whose writes land but, for the next few, answer that the outcome is unknown. */
final class UnsureStore implements ObjectStore {
  private final ObjectStore store;
  int failures;

  UnsureStore(ObjectStore store) {
    this.store = store;
  }

  private Optional<String> answer(Optional<String> tag) {
    if (failures > 0) {
      failures--;
      throw new LoamException(ErrorCode.OUTCOME_UNKNOWN, "answer was lost; look again");
    }
    return tag;
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
    return answer(store.putIfAbsent(path, content));
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    return answer(store.putFileIfAbsent(path, file));
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    return answer(store.putIfMatch(path, content, tag));
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
  public Optional<Path> localPath(String path) {
    return store.localPath(path);
  }

  /** Leaves the store behind it open. */
  @Override
  public void close() {}
}
