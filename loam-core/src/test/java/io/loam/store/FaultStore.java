package io.loam.store;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A store in which one operation of each kind on each kind of object goes wrong in the same way.
 */
public final class FaultStore extends ForwardingStore {

  /** What goes wrong. */
  public enum Fault {
    /** Nothing was done, and the store says so. */
    ERROR_BEFORE,
    /** All was done, but the answer is lost. */
    ERROR_AFTER,
    /** Nothing was done, and there is no answer. */
    TIMEOUT,
    /** There is no answer; what was asked for is done later, when {@link #doLate} is called. */
    LATE
  }

  private final Fault fault;
  private final int occurrence;
  private final Map<String, Integer> met = new HashMap<>();
  private final List<String> failed = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();

  /**
   * @param occurrence which operation of a kind goes wrong, from 1 on
   */
  public FaultStore(ObjectStore store, Fault fault, int occurrence) {
    super(store);
    this.fault = fault;
    this.occurrence = occurrence;
  }

  /** The operations that went wrong. */
  public synchronized List<String> failed() {
    return List.copyOf(failed);
  }

  /** Does what is late. */
  public void doLate() {
    List<Runnable> now;
    synchronized (this) {
      now = new ArrayList<>(late);
      late.clear();
    }
    now.forEach(Runnable::run);
  }

  private synchronized boolean fails(String operation, String path) {
    String step = operation + " " + TracedStore.kind(path);
    return met.merge(step, 1, Integer::sum) == occurrence && failed.add(step);
  }

  private <T> T reading(String operation, String path, Supplier<T> read) {
    if (fails(operation, path)) {
      throw unavailable();
    }
    return read.get();
  }

  private <T> T writing(String operation, String path, Supplier<T> write) {
    if (!fails(operation, path)) {
      return write.get();
    }
    switch (fault) {
      case ERROR_BEFORE -> throw unavailable();
      case ERROR_AFTER -> write.get();
      case TIMEOUT -> {
        // Never done.
      }
      case LATE -> addLate(write::get);
    }
    throw new LoamException(ErrorCode.OUTCOME_UNKNOWN, "answer was lost; look again");
  }

  private synchronized void addLate(Runnable write) {
    late.add(write);
  }

  private static LoamException unavailable() {
    return new LoamException(ErrorCode.STORE_UNAVAILABLE, "store is away; try again");
  }

  @Override
  public Optional<StoredObject> get(String path) {
    return reading("get", path, () -> super.get(path));
  }

  @Override
  public byte[] getRange(String path, long offset, int length) {
    return reading("get range", path, () -> super.getRange(path, offset, length));
  }

  @Override
  public OptionalLong size(String path) {
    return reading("size", path, () -> super.size(path));
  }

  @Override
  public Optional<String> putIfAbsent(String path, byte[] content) {
    return writing("create", path, () -> super.putIfAbsent(path, content));
  }

  @Override
  public Optional<String> stage(String path, byte[] content) {
    return writing("stage", path, () -> super.stage(path, content));
  }

  @Override
  public Optional<String> putFileIfAbsent(String path, Path file) {
    // What is done late needs the file, which may be gone by then.
    return fault == Fault.LATE
        ? super.putFileIfAbsent(path, file)
        : writing("create", path, () -> super.putFileIfAbsent(path, file));
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    return writing("swap", path, () -> super.putIfMatch(path, content, tag));
  }

  @Override
  public List<ObjectInfo> list(String prefix) {
    return reading("list", prefix, () -> super.list(prefix));
  }

  @Override
  public void delete(String path) {
    writing(
        "delete",
        path,
        () -> {
          super.delete(path);
          return path;
        });
  }

  @Override
  public void force(Collection<String> paths) {
    reading(
        "force",
        paths.iterator().next(),
        () -> {
          super.force(paths);
          return paths;
        });
  }
}
