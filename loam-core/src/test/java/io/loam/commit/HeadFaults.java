package io.loam.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.ForwardingStore;
import io.loam.store.ObjectStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;

/** A store whose next swaps of a head, or reads of one, go as a test says. */
final class HeadFaults extends ForwardingStore {
  /** Does a swap, or what happens in its place. */
  @FunctionalInterface
  interface Swap {
    Optional<String> run(Supplier<Optional<String>> swap);
  }

  private final Deque<Swap> swaps = new ArrayDeque<>();
  private boolean headUnreadable;

  HeadFaults(ObjectStore store) {
    super(store);
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
    Supplier<Optional<String>> swap = () -> super.putIfMatch(path, content, tag);
    return plan == null ? swap.get() : plan.run(swap);
  }

  @Override
  public Optional<StoredObject> get(String path) {
    if (headUnreadable && path.endsWith("/head")) {
      throw unavailable();
    }
    return super.get(path);
  }

  /** Leaves the store behind it open. */
  @Override
  public void close() {}
}
