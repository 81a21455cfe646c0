package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The swaps of the head by which one commit tries to land, on one head after another. */
final class HeadSwap {
  private static final int ATTEMPTS = 5;
  private static final long MAX_BACKOFF_MILLIS = 200;

  /**
   * What another writer left.
   *
   * @param since manifests after the version that was tried, newest first
   */
  record Newer(Versioned<Head> head, Manifest manifest, List<Manifest> since) {}

  private final Metastore metastore;
  private final List<String> tried = new ArrayList<>();

  /** Whether a swap of ours may have landed, or may still, without our knowing. */
  private boolean unsure;

  HeadSwap(Metastore metastore) {
    this.metastore = metastore;
  }

  /**
   * True if the swap won, false if the head has moved on from {@code expected}, be it by this swap.
   * While the head stands still, only swapping again can tell.
   */
  boolean swap(Versioned<Head> expected, Head next) {
    tried.add(next.manifestPath());
    for (int attempt = 0; ; attempt++) {
      try {
        return metastore.swapHead(expected, next).isPresent();
      } catch (LoamException e) {
        unsure |= e.code() == ErrorCode.OUTCOME_UNKNOWN;
        if (!unsure) {
          throw e;
        }
        if (attempt == ATTEMPTS) {
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

  /**
   * What is there now, or nothing if garbage collection took part of what came after {@code base}.
   * Where a swap's outcome is unknown, so it stays if this cannot be read.
   */
  Optional<Newer> newer(Manifest base) {
    try {
      Versioned<Head> head = metastore.head();
      if (!isChainRetained(base.version(), head.value())) {
        if (unsure) {
          checkRetained(base.version(), head.value());
        }
        return Optional.empty();
      }
      Manifest manifest = metastore.readManifest(head.value().manifestPath());
      return Optional.of(new Newer(head, manifest, chain(metastore, manifest, base.version())));
    } catch (LoamException e) {
      throw unsure ? unknown(base.version() + 1, e) : e;
    }
  }

  /** The version under which a manifest of ours is in the chain, if it is. */
  Optional<Long> landed(Newer newer) {
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

  private static LoamException unknown(long version, LoamException cause) {
    return new LoamException(
        ErrorCode.COMMIT_UNKNOWN,
        "the store does not tell whether the commit landed: version="
            + version
            + "; look whether the change is there before running the statement again",
        cause);
  }

  /** Manifests after {@code version} up to and with {@code newest}, newest first. */
  static List<Manifest> chain(Metastore metastore, Manifest newest, long version) {
    List<Manifest> manifests = new ArrayList<>();
    for (Manifest m = newest; m.version() > version; m = metastore.readManifest(m.parentPath())) {
      manifests.add(m);
      if (m.parentVersion() == 0) {
        break;
      }
    }
    return manifests;
  }

  /** What happened since a version must still be known. */
  static void checkRetained(long version, Head head) {
    if (!isChainRetained(version, head)) {
      throw new LoamException(
          ErrorCode.CONFLICT,
          "versions since the one that was read are not retained any more: version=%d, oldestRetained=%d; run the statement again"
              .formatted(version, head.oldestVersion()));
    }
  }

  /** Whether all versions after {@code version} are retained. */
  private static boolean isChainRetained(long version, Head head) {
    return version + 1 >= head.oldestVersion();
  }

  /** Waits, the longer the more attempts there were. */
  static void backOff(int attempt) {
    long most = Math.min(MAX_BACKOFF_MILLIS, 1L << Math.min(attempt, 10));
    LockSupport.parkNanos(
        TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(most + 1)));
  }
}
