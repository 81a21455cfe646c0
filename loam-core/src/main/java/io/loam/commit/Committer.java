package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.FileRef;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.Versioned;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Key;
import io.loam.store.ObjectStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Makes write batches versions. The head swap is the only commit point: all objects that the new
 * manifest names are on stable storage before it, and nothing that can fail comes after it.
 */
public final class Committer {
  private static final int MAX_ATTEMPTS = 200;
  private static final int SWAP_ATTEMPTS = 5;
  private static final long MAX_BACKOFF_MILLIS = 200;

  private final Metastore metastore;
  private final KeyDeltas deltas;
  private final IdReserve ids;
  private final CommitStorage storage;
  private final KeyLookup.Opener lookups;
  private final Clock clock;
  private final ObjectStore store;
  private final IntConsumer backOff;

  public Committer(
      ObjectStore store,
      Metastore metastore,
      CommitStorage storage,
      KeyLookup.Opener lookups,
      Clock clock) {
    this(store, metastore, storage, lookups, clock, Committer::pause);
  }

  /**
   * @param backOff waits before another attempt, given how many there were
   */
  Committer(
      ObjectStore store,
      Metastore metastore,
      CommitStorage storage,
      KeyLookup.Opener lookups,
      Clock clock,
      IntConsumer backOff) {
    this.metastore = metastore;
    this.deltas = new KeyDeltas(store, metastore);
    this.ids = new IdReserve(metastore);
    this.store = store;
    this.storage = storage;
    this.lookups = lookups;
    this.clock = clock;
    this.backOff = backOff;
  }

  /**
   * Commits a batch. Fails with {@code DUPLICATE_KEY} or what is wrong with a value; with {@code
   * CONFLICT} if a row that the batch names by row id changed since the batch's base version; with
   * {@code COMMIT_UNKNOWN} if the store does not tell whether the commit landed. Except in the last
   * case nothing has changed.
   */
  public CommitResult commit(WriteBatch batch) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Versioned<Head> head = metastore.head();
      try {
        Optional<CommitResult> result = commitOnto(head, batch);
        if (result.isPresent()) {
          return result.get();
        }
      } catch (LoamException e) {
        if (!isGarbageCollected(e, head.value())) {
          throw e;
        }
      }
      backOff.accept(attempt);
    }
    throw new LoamException(
        ErrorCode.CONFLICT,
        "other writers were always faster: attempts=" + MAX_ATTEMPTS + "; run the statement again");
  }

  /** The result, or nothing if all of it has to be done again on a newer head. */
  private Optional<CommitResult> commitOnto(Versioned<Head> head, WriteBatch batch) {
    Manifest base = metastore.readManifest(head.value().manifestPath());
    CollectionSchema schema = metastore.readSchema(base.schemaPath());
    ResolvedBatch resolved = resolve(batch, head.value(), base, schema);
    if (resolved.isEmpty()) {
      return Optional.of(new CommitResult(base.version(), 0, 0, 0));
    }
    return new Attempt(batch, resolved, schema, base).swapOnto(head, base);
  }

  /**
   * Whether a failure is that of objects, be they of an older version or our own and not yet named,
   * which garbage collection may have removed since a head was read.
   */
  private boolean isGarbageCollected(LoamException failure, Head since) {
    return switch (failure.code()) {
      case MISSING_OBJECT, CORRUPT_OBJECT, STORE_UNAVAILABLE -> {
        try {
          yield metastore.head().value().gcEpoch() != since.gcEpoch();
        } catch (LoamException e) {
          failure.addSuppressed(e);
          yield false;
        }
      }
      default -> false;
    };
  }

  private ResolvedBatch resolve(
      WriteBatch batch, Head head, Manifest base, CollectionSchema schema) {
    List<Manifest> since = List.of();
    if (batch.baseVersion() > 0) {
      checkRetained(batch.baseVersion(), head);
      since = chain(base, batch.baseVersion());
      checkUnchanged(batch, since);
    }
    ResolvedBatch resolved;
    try (KeyLookup lookup = lookups.open(base, schema)) {
      resolved = ResolvedBatch.resolve(batch, schema, lookup);
    }
    if (batch.isIsolated()) {
      for (Manifest m : since) {
        resolved.conflictWith(deltas.read(m)).ifPresent(key -> throwConflict(key, m.version()));
      }
    }
    return resolved;
  }

  private static void throwConflict(Key key, long version) {
    throw conflict(key, version);
  }

  /** What happened since a version must still be known. */
  private static void checkRetained(long version, Head head) {
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

  /** Row ids of a batch must still name what its reader saw. */
  private void checkUnchanged(WriteBatch batch, List<Manifest> since) {
    if (since.isEmpty()) {
      return;
    }
    Set<Long> named = new HashSet<>();
    for (WriteBatch.Change change : batch.changes()) {
      if (change instanceof WriteBatch.Replace r) {
        named.add(r.rowId());
      } else if (change instanceof WriteBatch.Delete d) {
        named.add(d.rowId());
      }
    }
    for (Manifest m : since) {
      for (KeyDelta.Entry e : deltas.read(m).entries()) {
        if (named.contains(e.previousRowId())) {
          throw conflict(e.key(), m.version());
        }
      }
    }
  }

  /** Manifests after {@code version} up to and with {@code newest}. */
  private List<Manifest> chain(Manifest newest, long version) {
    List<Manifest> manifests = new ArrayList<>();
    for (Manifest m = newest; m.version() > version; m = metastore.readManifest(m.parentPath())) {
      manifests.add(m);
      if (m.parentVersion() == 0) {
        break;
      }
    }
    return manifests;
  }

  private static LoamException conflict(Key key, long version) {
    return new LoamException(
        ErrorCode.CONFLICT,
        "another commit changed the same row: key="
            + key
            + ", version="
            + version
            + "; run the statement again");
  }

  private static void pause(int attempt) {
    long most = Math.min(MAX_BACKOFF_MILLIS, 1L << Math.min(attempt, 10));
    LockSupport.parkNanos(
        TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(most + 1)));
  }

  /**
   * What another writer left.
   *
   * @param since manifests after the version that was tried, newest first
   */
  private record Newer(Versioned<Head> head, Manifest manifest, List<Manifest> since) {}

  private record Written(Manifest manifest, String path) {}

  /**
   * One resolved batch on its way onto the head: its rows are written once, whatever heads it is
   * tried on.
   */
  private final class Attempt {
    private final WriteBatch batch;
    private final ResolvedBatch resolved;
    private final CollectionSchema schema;
    private final List<NewRow> rows = new ArrayList<>();
    private final Optional<CommitStorage.PreparedRows> prepared;
    private final long[] removed;
    private final List<String> tried = new ArrayList<>();

    /** Whether a swap of ours may have landed, or may still, without our knowing. */
    private boolean unsure;

    Attempt(WriteBatch batch, ResolvedBatch resolved, CollectionSchema schema, Manifest base) {
      this.batch = batch;
      this.resolved = resolved;
      this.schema = schema;
      this.removed =
          resolved.removed().keySet().stream().mapToLong(Long::longValue).sorted().toArray();
      if (resolved.added().isEmpty()) {
        prepared = Optional.empty();
      } else {
        long rowId = ids.rows(resolved.added().size(), base);
        for (ResolvedBatch.Addition a : resolved.added()) {
          Key key = a.key() == null ? Key.of(rowId) : a.key();
          rows.add(new NewRow(rowId++, key, a.values()));
        }
        prepared = Optional.of(storage.prepare(schema, rows, () -> ids.fragment(base)));
      }
    }

    /** The result, or nothing if the batch has to be resolved again on a newer head. */
    Optional<CommitResult> swapOnto(Versioned<Head> firstHead, Manifest firstBase) {
      Versioned<Head> head = firstHead;
      Manifest base = firstBase;
      for (int attempt = 0; ; attempt++) {
        Written next = write(head.value().manifestPath(), base);
        long version = next.manifest().version();
        if (swap(head, head.value().withVersion(version, next.path()))) {
          return Optional.of(result(version));
        }
        Optional<Newer> found = newer(base);
        if (found.isEmpty()) {
          return Optional.empty();
        }
        Newer newer = found.get();
        Optional<Long> landed = landed(newer);
        if (landed.isPresent()) {
          return landed.map(this::result);
        }
        if (newer.head().value().gcEpoch() != head.value().gcEpoch()
            || newer.manifest().schemaVersion() != base.schemaVersion()
            || attempt == MAX_ATTEMPTS
            || conflicts(newer.since())) {
          return Optional.empty();
        }
        head = newer.head();
        base = newer.manifest();
        backOff.accept(attempt);
      }
    }

    private CommitResult result(long version) {
      prepared.ifPresent(rows -> storage.landed(rows));
      return new CommitResult(version, resolved.inserted(), resolved.updated(), resolved.deleted());
    }

    /**
     * What is there now, or nothing if garbage collection took part of what came after {@code
     * base}. Where a swap's outcome is unknown, so it stays if this cannot be read.
     */
    private Optional<Newer> newer(Manifest base) {
      try {
        Versioned<Head> head = metastore.head();
        if (!isChainRetained(base.version(), head.value())) {
          if (unsure) {
            checkRetained(base.version(), head.value());
          }
          return Optional.empty();
        }
        Manifest manifest = metastore.readManifest(head.value().manifestPath());
        return Optional.of(new Newer(head, manifest, chain(manifest, base.version())));
      } catch (LoamException e) {
        throw unsure ? unknown(base.version() + 1, e) : e;
      }
    }

    /**
     * Whether a conflicting commit asks for the batch to be resolved again, be it to learn which
     * error a transaction's conflict is. Rows that a statement named by row id cannot be: their
     * WHERE is not evaluated twice.
     */
    private boolean conflicts(List<Manifest> since) {
      for (Manifest m : since) {
        Optional<Key> key = resolved.conflictWith(deltas.read(m));
        if (key.isPresent()) {
          if (batch.baseVersion() > 0 && !batch.isIsolated()) {
            throw conflict(key.get(), m.version());
          }
          return true;
        }
      }
      return false;
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
     * True if the swap won, false if the head has moved on from {@code expected}, be it by this
     * swap. While the head stands still, only swapping again can tell.
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
        backOff.accept(attempt + 3);
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

    /** Writes the next version, all of it on stable storage when this returns. */
    private Written write(String basePath, Manifest base) {
      long version = base.version() + 1;
      CommitStorage.Contents contents =
          storage.apply(base, schema, prepared, removed, () -> ids.fragment(base));
      FileRef delta = deltas.stage(version, keyDelta());
      long maxRowId = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).rowId() + 1;
      int maxFragment = contents.fragments().stream().mapToInt(f -> f.id() + 1).max().orElse(1);
      Manifest next =
          new Manifest(
              version,
              base.version(),
              basePath,
              schema.version(),
              base.schemaPath(),
              Math.max(clock.millis(), base.createdAtMillis() + 1),
              Manifest.CommitKind.WRITE,
              contents.lanceVersion(),
              contents.lanceManifest(),
              contents.splits(),
              contents.fragments(),
              contents.tail(),
              Math.max(base.nextRowId(), maxRowId),
              Math.max(base.nextFragmentId(), maxFragment),
              contents.liveDocuments(),
              Optional.of(delta));
      String path = metastore.stageManifest(next);
      List<String> staged = new ArrayList<>(contents.staged());
      staged.add(metastore.path(delta.path()));
      staged.add(path);
      store.force(staged);
      tried.add(path);
      return new Written(next, path);
    }

    private KeyDelta keyDelta() {
      Map<Key, Long> before = new HashMap<>();
      resolved.removed().forEach((rowId, key) -> before.put(key, rowId));
      List<KeyDelta.Entry> entries = new ArrayList<>();
      for (NewRow row : rows) {
        Long previous = before.remove(row.key());
        entries.add(new KeyDelta.Entry(row.key(), row.rowId(), previous == null ? 0 : previous));
      }
      before.forEach((key, rowId) -> entries.add(new KeyDelta.Entry(key, 0, rowId)));
      entries.sort(Comparator.comparing(KeyDelta.Entry::key));
      return new KeyDelta(entries);
    }
  }
}
