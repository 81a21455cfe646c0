package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.VectorIndexRef;
import io.loam.manifest.Versioned;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Key;
import io.loam.store.ObjectStore;
import java.time.Clock;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Makes write batches versions. The head swap is the only commit point: all objects that the new
 * manifest names are on stable storage before it, and nothing that can fail comes after it.
 */
public final class Committer {
  /** Attempts that others may overtake, before other writers of this process have to wait. */
  private static final int FREE_ATTEMPTS = 3;

  private final Metastore metastore;
  private final KeyDeltas deltas;
  private final IdReserve ids;
  private final CommitStorage storage;
  private final KeyLookup.Opener lookups;
  private final NextVersion versions;
  private final CommitQueue queue;

  /**
   * @param queue that all committers of this process share which write to the collection
   */
  public Committer(
      ObjectStore store,
      Metastore metastore,
      CommitStorage storage,
      KeyLookup.Opener lookups,
      Clock clock,
      CommitQueue queue) {
    this.metastore = metastore;
    this.deltas = new KeyDeltas(store, metastore);
    this.ids = new IdReserve(metastore);
    this.storage = storage;
    this.lookups = lookups;
    this.versions = new NextVersion(store, metastore, clock);
    this.queue = queue;
  }

  /**
   * Commits a batch. Fails with {@code DUPLICATE_KEY} or what is wrong with a value; with {@code
   * CONFLICT} if a row that the batch names by row id changed since the batch's base version; with
   * {@code COMMIT_UNKNOWN} if the store does not tell whether the commit landed. Except in the last
   * case nothing has changed.
   */
  public CommitResult commit(WriteBatch batch) {
    return commit(batch, metastore.head());
  }

  /**
   * The same.
   *
   * @param seen what the batch is tried on first, which was the head at some time since the
   *     statement began
   */
  public CommitResult commit(WriteBatch batch, Versioned<Head> seen) {
    StatementRows rows = new StatementRows(ids, storage);
    for (int attempt = 0; attempt < Landing.MAX_ATTEMPTS; attempt++) {
      Supplier<Versioned<Head>> head = attempt == 0 ? () -> seen : metastore::head;
      Optional<CommitResult> result =
          attempt < FREE_ATTEMPTS
              ? tryCommit(head.get(), batch, rows, b -> queue.land(b, this::landTogether))
              : queue.alone(() -> tryCommit(head.get(), batch, rows, this::landAlone));
      if (result.isPresent()) {
        return result.get();
      }
      Landing.backOff(attempt);
    }
    throw alwaysSlower();
  }

  private Optional<CommitResult> tryCommit(
      Versioned<Head> head,
      WriteBatch batch,
      StatementRows rows,
      Function<PreparedBatch, Optional<Long>> landing) {
    try {
      return commitOnto(head, batch, rows, landing);
    } catch (LoamException e) {
      if (!isGarbageCollected(e, head.value())) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private static LoamException alwaysSlower() {
    return new LoamException(
        ErrorCode.CONFLICT,
        "other writers were always faster: attempts="
            + Landing.MAX_ATTEMPTS
            + "; run the statement again, or all of its transaction");
  }

  /**
   * Commits another schema. The change is made again where another writer was first.
   *
   * @param change gives the next schema, or the same where there is nothing to change
   */
  public void alter(UnaryOperator<CollectionSchema> change) {
    rewrite(
        0,
        (base, before) -> {
          CollectionSchema after = change.apply(before);
          return after.equals(before)
              ? Optional.empty()
              : Optional.of(new Rewrite(after, storage.alter(base, before, after)));
        });
  }

  /** Commits the same documents, indexed anew from their bodies. */
  public void reindex() {
    // Its work, of any length, may be in vain once; then other writers of this process wait for it.
    rewrite(1, (base, schema) -> Optional.of(new Rewrite(schema, storage.reindex(base, schema))));
  }

  /** Another form of all of a version's documents. */
  private record Rewrite(CollectionSchema schema, CommitStorage.Contents contents) {}

  /** Makes a version from each head until it is still the head when it is done. */
  private void rewrite(
      int freeAttempts, BiFunction<Manifest, CollectionSchema, Optional<Rewrite>> make) {
    for (int attempt = 0; attempt < Landing.MAX_ATTEMPTS; attempt++) {
      if (attempt < freeAttempts ? tryRewrite(make) : queue.alone(() -> tryRewrite(make))) {
        return;
      }
      Landing.backOff(attempt);
    }
    throw alwaysSlower();
  }

  private boolean tryRewrite(BiFunction<Manifest, CollectionSchema, Optional<Rewrite>> make) {
    Versioned<Head> head = metastore.head();
    try {
      Manifest base = metastore.readManifest(head.value().manifestPath());
      CollectionSchema before = metastore.readSchema(base.schemaPath());
      Optional<Rewrite> rewrite = make.apply(base, before);
      return rewrite.isEmpty() || rewriteOnto(head, base, before, rewrite.get());
    } catch (LoamException e) {
      if (!isGarbageCollected(e, head.value())) {
        throw e;
      }
      return false;
    }
  }

  /** False if all of it has to be done again on a newer head. */
  private boolean rewriteOnto(
      Versioned<Head> head, Manifest base, CollectionSchema before, Rewrite rewrite) {
    return new Landing(
            metastore,
            new Landing.Change() {
              @Override
              public Optional<StoredManifest> write(String basePath, Manifest onto) {
                return Optional.of(writeRewrite(basePath, onto, before, rewrite));
              }

              @Override
              public boolean isOvertaken(List<Manifest> since) {
                return true;
              }
            })
        .land(head, base)
        .isPresent();
  }

  private StoredManifest writeRewrite(
      String basePath, Manifest base, CollectionSchema before, Rewrite rewrite) {
    CollectionSchema schema = rewrite.schema();
    boolean altered = !schema.equals(before);
    return versions.write(
        basePath,
        base,
        altered ? Manifest.CommitKind.SCHEMA : Manifest.CommitKind.MAINTENANCE,
        new NextVersion.SchemaAt(
            schema.version(), altered ? metastore.writeSchema(schema) : base.schemaPath()),
        rewrite.contents(),
        indexesOfFields(base, schema),
        base.nextRowId(),
        Optional.empty());
  }

  /** An index goes with its field. */
  private static List<VectorIndexRef> indexesOfFields(Manifest base, CollectionSchema schema) {
    return base.indexes().stream()
        .filter(
            index ->
                schema.fields().stream().anyMatch(field -> field.number() == index.fieldNumber()))
        .toList();
  }

  /** The result, or nothing if all of it has to be done again on a newer head. */
  private Optional<CommitResult> commitOnto(
      Versioned<Head> head,
      WriteBatch batch,
      StatementRows rows,
      Function<PreparedBatch, Optional<Long>> landing) {
    Manifest base = metastore.readManifest(head.value().manifestPath());
    CollectionSchema schema = metastore.readSchema(base.schemaPath());
    ResolvedBatch resolved = resolve(batch, head.value(), base, schema);
    if (resolved.isEmpty()) {
      return Optional.of(new CommitResult(base.version(), 0, 0, 0));
    }
    PreparedBatch prepared = rows.prepare(resolved, schema, head, base);
    Optional<CommitResult> result =
        landing
            .apply(prepared)
            .map(
                version ->
                    new CommitResult(
                        version, resolved.inserted(), resolved.updated(), resolved.deleted()));
    if (result.isPresent()) {
      prepared.written().ifPresent(storage::landed);
    }
    return result;
  }

  private IdentityHashMap<PreparedBatch, Long> landTogether(List<PreparedBatch> batches) {
    return new CommitGroup(metastore, deltas, ids, storage, versions, batches).land();
  }

  private Optional<Long> landAlone(PreparedBatch batch) {
    return Optional.ofNullable(landTogether(List.of(batch)).get(batch));
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
      Chain.checkRetained(batch.baseVersion(), head);
      since = Chain.since(metastore, base, batch.baseVersion());
      checkUnchanged(batch, since);
    }
    ResolvedBatch resolved;
    try (KeyLookup lookup = lookups.open(base, schema)) {
      resolved = ResolvedBatch.resolve(batch, schema, lookup);
    }
    if (batch.isIsolated()) {
      Set<Key> keys = resolved.keys();
      for (Manifest m : since) {
        deltas.read(m).firstOf(keys).ifPresent(key -> throwConflict(key, m.version()));
      }
    }
    return resolved;
  }

  private static void throwConflict(Key key, long version) {
    throw conflict(key, version);
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

  private static LoamException conflict(Key key, long version) {
    return new LoamException(
        ErrorCode.CONFLICT,
        "another commit changed the same row: key="
            + key
            + ", version="
            + version
            + "; run the statement again, or all of its transaction");
  }
}
