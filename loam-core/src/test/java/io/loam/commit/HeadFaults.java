package io.loam.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.ObjectStore;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A store whose next swaps of a head, or reads of one, go as a test says. */
final class HeadFaults implements ObjectStore {
  /** Does a swap, or what happens in its place. */
  @FunctionalInterface
  interface Swap {
    Optional<String> run(Supplier<Optional<String>> swap);
  }

  private final ObjectStore store;
  private final Deque<Swap> swaps = new ArrayDeque<>();
  private boolean headUnreadable;

  HeadFaults(ObjectStore store) {
    this.store = store;
  }

  /** Plans the swap after those planned before; swaps past the last plan go through. */
  HeadFaults then(Swap swap) {
    swaps.add(swap);
    return this;
  }

  HeadFaults thenAppliedWithoutAnswer() {
    return then(
        swap -> {
          assertThat(swap.get()).isPresent();
          throw unknown();
        });
  }

  HeadFaults thenLostWithoutAnswer() {
    return then(
        swap -> {
          throw unknown();
        });
  }

  HeadFaults thenUnavailable() {
    return then(
        swap -> {
          throw unavailable();
        });
  }

  /** Another writer commits just before our swap. */
  HeadFaults thenAfter(Runnable rival) {
    return then(
        swap -> {
          rival.run();
          return swap.get();
        });
  }

  void makeHeadUnreadable() {
    headUnreadable = true;
  }

  private static LoamException unknown() {
    return new LoamException(ErrorCode.OUTCOME_UNKNOWN, "answer was lost; look again");
  }

  private static LoamException unavailable() {
    return new LoamException(ErrorCode.STORE_UNAVAILABLE, "store is away; try again");
  }

  @Override
  public Optional<String> putIfMatch(String path, byte[] content, String tag) {
    Swap plan = path.endsWith("/head") ? swaps.poll() : null;
    Supplier<Optional<String>> swap = () -> store.putIfMatch(path, content, tag);
    return plan == null ? swap.get() : plan.run(swap);
  }

  @Override
  public Optional<StoredObject> get(String path) {
    if (headUnreadable && path.endsWith("/head")) {
      throw unavailable();
    }
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
  public Optional<String> putFileIfAbsent(String path, Path file) {
    return store.putFileIfAbsent(path, file);
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
