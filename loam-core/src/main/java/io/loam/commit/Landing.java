package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.Versioned;
import io.loam.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Brings one change onto the head, however many others do the same. The head swap is the only
 * commit point. A swap that is lost is tried again on the newer version; one whose outcome is
 * unknown is told apart as won or lost, or ends as {@code COMMIT_UNKNOWN}. Used once, by one
 * thread.
 */
public final class Landing {
  /** How often a change is tried on newer heads before it is begun again. */
  static final int MAX_ATTEMPTS = 200;

  private static final int SWAP_ATTEMPTS = 5;
  private static final long MAX_BACKOFF_MILLIS = 32;

  /** A change that can be put on top of any version that it does not conflict with. */
  public interface Change {
    /** Fails where this head must not be swapped. */
    default void check(Head head) {}

    /**
     * Writes the version that follows {@code base}, all of it on stable storage when this returns;
     * nothing where the change cannot be made any more.
     */
    Optional<StoredManifest> write(String basePath, Manifest base);

    /**
     * Whether the change has to be prepared again.
     *
     * @param since manifests after the version that was tried, newest first
     */
    boolean isOvertaken(List<Manifest> since);
  }

  private final Metastore metastore;
  private final Change change;
  private final List<String> tried = new ArrayList<>();

  /** Whether a swap of ours may have landed, or may still, without our knowing. */
  private boolean unsure;

  public Landing(Metastore metastore, Change change) {
    this.metastore = metastore;
    this.change = change;
  }

  /**
   * What another writer left.
   *
   * @param since manifests after the version that was tried, newest first
   */
  private record Newer(Versioned<Head> head, Manifest manifest, List<Manifest> since) {}

  /** The version that holds the change, or nothing if it has to be prepared again. */
  public Optional<Long> land(Versioned<Head> firstHead, Manifest firstBase) {
    try (ObjectStore.Turn turn = metastore.turn()) {
      // Asking is cheap where there are turns, and without one the answer would soon be old.
      Versioned<Head> newest =
          turn == ObjectStore.Turn.NONE ? metastore.newestKnown(firstHead) : metastore.head();
      if (newest.tag().equals(firstHead.tag())) {
        return landOn(firstHead, firstBase);
      }
      Optional<Newer> newer =
          newer(firstBase, () -> newest).filter(n -> canFollow(firstHead, firstBase, n));
      return newer.isPresent() ? landOn(newest, newer.get().manifest()) : Optional.empty();
    }
  }

  private Optional<Long> landOn(Versioned<Head> firstHead, Manifest firstBase) {
    Versioned<Head> head = firstHead;
    Manifest base = firstBase;
    for (int attempt = 0; ; attempt++) {
      change.check(head.value());
      Optional<StoredManifest> next = change.write(head.value().manifestPath(), base);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      String path = next.get().path();
      long version = next.get().manifest().version();
      tried.add(path);
      if (swap(head, head.value().withVersion(version, path))) {
        return Optional.of(version);
      }
      Optional<Newer> newer = newer(base, metastore::head);
      if (newer.isEmpty()) {
        return Optional.empty();
      }
      Optional<Long> landed = landed(newer.get());
      if (landed.isPresent() || attempt == MAX_ATTEMPTS || !canFollow(head, base, newer.get())) {
        return landed;
      }
      head = newer.get().head();
      base = newer.get().manifest();
      backOff(attempt);
    }
  }

  /** Whether the change can be put on top of what came after the version that was tried. */
  private boolean canFollow(Versioned<Head> head, Manifest base, Newer newer) {
    return newer.head().value().gcEpoch() == head.value().gcEpoch()
        && newer.manifest().schemaVersion() == base.schemaVersion()
        && !change.isOvertaken(newer.since());
  }

  /**
   * What is there at a newer head, or nothing if garbage collection took part of what came after
   * {@code base}. Where a swap's outcome is unknown, so it stays if this cannot be read.
   */
  private Optional<Newer> newer(Manifest base, Supplier<Versioned<Head>> newerHead) {
    try {
      Versioned<Head> head = newerHead.get();
      if (!Chain.isRetained(base.version(), head.value())) {
        if (unsure) {
          Chain.checkRetained(base.version(), head.value());
        }
        return Optional.empty();
      }
      Manifest manifest = metastore.readManifest(head.value().manifestPath());
      List<Manifest> since = Chain.since(metastore, manifest, base.version());
      return Optional.of(new Newer(head, manifest, since));
    } catch (LoamException e) {
      throw unsure ? unknown(base.version() + 1, e) : e;
    }
  }

  /** The version under which a manifest of ours is in the chain, if it is. */
  private Optional<Long> landed(Newer newer) {
    String path = newer.head().value().manifestPath();
    for (Manifest m : newer.since()) {
      if (tried.contains(path)) {
        return Optional.of(m.version());
      }
      path = m.parentPath();
    }
    // Once the head has moved, none of our swaps that the chain does not hold can land any more.
    unsure = false;
    return Optional.empty();
  }

  /**
   * True if the swap won, false if the head has moved on from {@code expected}, be it by this swap.
   * While the head stands still, only swapping again can tell.
   */
  private boolean swap(Versioned<Head> expected, Head next) {
    for (int attempt = 0; ; attempt++) {
      try {
        return metastore.swapHead(expected, next).isPresent();
      } catch (LoamException e) {
        unsure |= e.code() == ErrorCode.OUTCOME_UNKNOWN;
        if (!unsure) {
          throw e;
        }
        if (attempt == SWAP_ATTEMPTS) {
          if (hasMoved(expected, e)) {
            return false;
          }
          throw unknown(next.version(), e);
        }
      }
      backOff(attempt + 3);
    }
  }

  private boolean hasMoved(Versioned<Head> expected, LoamException swapFailure) {
    try {
      return !metastore.head().tag().equals(expected.tag());
    } catch (LoamException e) {
      e.addSuppressed(swapFailure);
      throw unknown(expected.value().version() + 1, e);
    }
  }

  private static LoamException unknown(long version, LoamException cause) {
    return new LoamException(
        ErrorCode.COMMIT_UNKNOWN,
        "the store does not tell whether the commit landed: version="
            + version
            + "; look whether the change is there before running the statement again",
        cause);
  }

  /** Waits at random, for longer after more attempts. */
  static void backOff(int attempt) {
    long most = Math.min(MAX_BACKOFF_MILLIS, 1L << Math.min(attempt, 10));
    LockSupport.parkNanos(
        TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(most + 1)));
  }
}
