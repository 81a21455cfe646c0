package io.loam.store;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A store that tells a test of every operation before it does it; the test may wait or throw. */
public final class HookedStore extends ForwardingStore {
  /** Called before an operation, named as its method. */
  @FunctionalInterface
  public interface Hook {
    void before(String operation, String path);
  }

  private final Hook hook;
  private boolean answerLost;

  public HookedStore(ObjectStore store, Hook hook) {
    super(store);
    this.hook = hook;
  }

  /** The next write is done, but its outcome is said to be unknown. */
  public void loseNextAnswer() {
    answerLost = true;
  }

  private Optional<String> answer(Optional<String> tag) {
    if (answerLost) {
      answerLost = false;
      throw new LoamException(ErrorCode.OUTCOME_UNKNOWN, "answer was lost; look again");
    }
    return tag;
  }

  @Override
  public Optional<StoredObject> get(String path) {
    hook.before("get", path);
    return super.get(path);
  }

  @Override
  public byte[] getRange(String path, long offset, int length) {
    hook.before("getRange", path);
    return super.getRange(path, offset, length);
  }

  @Override
  public OptionalLong size(String path) {
    hook.before("size", path);
    return super.size(path);
  }

  @Override
  public Optional<String> putIfAbsent(String path, byte[] content) {
    hook.before("putIfAbsent", path);
    return answer(super.putIfAbsent(path, content));
  }

  @Override
  public Optional<String> stage(String path, byte[] content) {
    hook.before("stage", path);
    return answer(super.stage(path, content));
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    hook.before("putFileIfAbsent", path);
    return super.putFileIfAbsent(path, file);
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    hook.before("putIfMatch", path);
    return answer(super.putIfMatch(path, content, tag));
  }

  @Override
  public List<ObjectInfo> list(String prefix) {
    hook.before("list", prefix);
    return super.list(prefix);
  }

  @Override
  public void delete(String path) {
    hook.before("delete", path);
    super.delete(path);
  }

  @Override
  public void force(Collection<String> paths) {
    hook.before("force", String.valueOf(paths));
    super.force(paths);
  }
}
