package io.loam.manifest;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.ForwardingStore;
import io.loam.store.ObjectStore;
import java.nio.file.Path;
import java.util.Optional;

/** A store whose writes land but, for the next few, answer that the outcome is unknown. */
final class UnsureStore extends ForwardingStore {
  int failures;

  UnsureStore(ObjectStore store) {
    super(store);
  }

  private Optional<String> answer(Optional<String> tag) {
    if (failures > 0) {
      failures--;
      throw new LoamException(ErrorCode.OUTCOME_UNKNOWN, "answer was lost; look again");
    }
    return tag;
  }

  @Override
  public Optional<String> putIfAbsent(String path, byte[] content) {
    return answer(super.putIfAbsent(path, content));
  }

  @Override
  public Optional<String> stage(String path, byte[] content) {
    return answer(super.stage(path, content));
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    return answer(super.putFileIfAbsent(path, file));
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    return answer(super.putIfMatch(path, content, tag));
  }

  /** Leaves the store behind it open. */
  @Override
  public void close() {}
}
