package io.loam;

import io.loam.commit.CommitQueue;
import io.loam.commit.CommitResult;
import io.loam.commit.Committer;
import io.loam.commit.KeyLookup;
import io.loam.commit.NextVersion;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.index.IndexBuilds;
import io.loam.index.LocalParts;
import io.loam.index.PartRunner;
import io.loam.index.SegmentUpkeep;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.VersionOpener;
import io.loam.maintain.Garbage;
import io.loam.maintain.GarbageCollector;
import io.loam.maintain.GcOptions;
import io.loam.maintain.Leases;
import io.loam.maintain.Optimizer;
import io.loam.maintain.Part;
import io.loam.maintain.Pins;
import io.loam.maintain.ReaderPins;
import io.loam.maintain.Step;
import io.loam.maintain.Upkeep;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.Tag;
import io.loam.manifest.Tags;
import io.loam.manifest.VectorIndexRef;
import io.loam.manifest.Versioned;
import io.loam.query.Snapshot;
import io.loam.query.VersionKeyLookup;
import io.loam.query.VersionSnapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import io.loam.vector.IndexKind;
import io.loam.verify.Verification;
import io.loam.verify.Verifier;
import io.loam.write.NativeMaintenance;
import io.loam.write.NativeStorage;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/** A collection of an open warehouse. */
final class LoamCollection implements Collection, AutoCloseable {
  /**
   * Up to so many changes begin with the head that their statement has seen. More would cost much
   * if they had to be written again, so that they ask for the newest one.
   */
  private static final int SMALL_BATCH = 1_000;

  private final CollectionName name;
  private final Metastore metastore;
  private final CollectionFiles files;
  private final VersionOpener versions;
  private final Committer committer;
  private final HeadReads reads;
  private final HeldVersions held;
  private final Tags tags;
  private final ReaderPins pins;
  private final GarbageCollector garbage;
  private final Optimizer optimizer;
  private final IndexBuilds indexes;
  private final LocalParts localParts;
  private final BackgroundUpkeep.Subject upkeep;

  /** Held by maintenance of this process, which takes turns. */
  private final MaintenanceTurns turns = new MaintenanceTurns();

  LoamCollection(
      CollectionName name,
      Metastore metastore,
      CollectionFiles files,
      Executor executor,
      BackgroundUpkeep background,
      Optional<PartRunner> partRunner) {
    this.name = name;
    this.metastore = metastore;
    this.files = files;
    this.versions = new VersionOpener(files);
    this.reads = new HeadReads(name, metastore);
    this.tags = new Tags(metastore, reads.finder(), Clock.systemUTC());
    Pins stored = new Pins(files.store(), metastore);
    this.pins = new ReaderPins(stored, System::nanoTime);
    this.held = new HeldVersions(metastore, versions, pins, reads);
    CommitQueue queue = new CommitQueue();
    Leases leases = new Leases(files.store(), metastore, Clock.systemUTC());
    this.garbage = new GarbageCollector(files.store(), metastore, reads.finder(), leases, stored);
    this.localParts = new LocalParts(metastore, files, versions);
    this.indexes =
        new IndexBuilds(
            metastore,
            files,
            new NextVersion(files.store(), metastore, Clock.systemUTC()),
            queue,
            held::holdLong,
            partRunner.orElse(localParts));
    this.optimizer =
        new Optimizer(
            files.store(),
            metastore,
            leases,
            new NativeMaintenance(files, versions, executor),
            new SegmentUpkeep(metastore, versions, indexes, held::holdLong),
            queue);
    this.upkeep = background.subject(this::keepUp);
    KeyLookup.Opener lookups =
        (manifest, schema) -> new VersionKeyLookup(versions, versions.acquire(manifest, schema));
    this.committer =
        new Committer(
            files.store(),
            metastore,
            new NativeStorage(files, versions, executor),
            lookups,
            Clock.systemUTC(),
            queue);
  }

  @Override
  public CollectionName name() {
    return name;
  }

  @Override
  public CollectionSchema schema() {
    return schema(new VersionSpec.Latest());
  }

  @Override
  public CollectionSchema schema(VersionSpec version) {
    return reads.read(head -> metastore.readSchema(reads.find(head, version).manifest().schemaPath()));
  }

  @Override
  public Snapshot snapshot(VersionSpec version) {
    return reads.read(head -> open(reads.find(head, version)));
  }

  private Snapshot open(StoredManifest stored) {
    HeldVersions.Held version = held.hold(stored);
    return new VersionSnapshot(version.version(), version);
  }

  @Override
  public Transaction begin() {
    return reads.read(
        head -> {
          StoredManifest stored = reads.finder().latest(head);
          return new LoamTransaction(new TransactionBase(stored, held.hold(stored)));
        });
  }

  /** The version that a transaction reads, with what came of it. */
  private final class TransactionBase implements LoamTransaction.Base {
    private final StoredManifest stored;
    private final HeldVersions.Held base;

    TransactionBase(StoredManifest stored, HeldVersions.Held base) {
      this.stored = stored;
      this.base = base;
    }

    @Override
    public OpenVersion version() {
      return base.version();
    }

    @Override
    public KeyLookup lookup() {
      return new VersionKeyLookup(
          versions, versions.acquire(stored.manifest(), base.version().schema()));
    }

    @Override
    public Snapshot snapshot(OpenVersion changed) {
      return new VersionSnapshot(changed, held.hold(stored));
    }

    @Override
    public CommitResult commit(WriteBatch batch) {
      return LoamCollection.this.commit(batch);
    }

    @Override
    public void close() {
      base.closed();
    }
  }

  @Override
  public CommitResult commit(WriteBatch batch) {
    Versioned<Head> head = batch.changes().size() <= SMALL_BATCH ? reads.seen() : metastore.head();
    // A load that takes long is pinned as a reader is: what it has written so far has to stay.
    ReaderPins.Reader load = pins.open(head.value().version(), head.value().manifestPath());
    try {
      CommitResult result = committer.commit(batch, head);
      upkeep.committed(result);
      return result;
    } catch (LoamException e) {
      throw reads.explained(e, head.value());
    } finally {
      load.close();
    }
  }

  @Override
  public void alter(UnaryOperator<CollectionSchema> change) {
    committer.alter(change);
  }

  @Override
  public void reindex() {
    committer.reindex();
  }

  @Override
  public List<Manifest> manifests() {
    return reads.read(reads.finder()::retained).stream().map(StoredManifest::manifest).toList();
  }

  @Override
  public Manifest manifest(VersionSpec version) {
    return reads.read(head -> reads.find(head, version).manifest());
  }

  @Override
  public List<Step> optimize(Set<Part> parts) {
    return turns.run(() -> optimizer.run(parts, () -> {}));
  }

  @Override
  public Upkeep upkeep() {
    return new Upkeep(
        indexes.running(),
        reads.read(head -> optimizer.due(reads.finder().latest(head).manifest())),
        upkeep.failure(),
        Optimizer.done(manifests()));
  }

  /** What upkeep in the background does. */
  private void keepUp(Runnable checkpoint) {
    turns.runUnlessWanted(
        waiting -> {
          if (optimizer.isDueInBackground()) {
            optimizer.runInBackground(
                () -> {
                  checkpoint.run();
                  waiting.run();
                });
          }
        });
  }

  @Override
  public void createIndex(
      String index, String column, IndexKind kind, Map<String, String> options) {
    Field field =
        schema()
            .find(column)
            .orElseThrow(
                () ->
                    new LoamException(
                        ErrorCode.UNKNOWN_COLUMN,
                        "no such column: table=%s, column=%s; look at its columns"
                            .formatted(name, column)));
    if (field.kind() != TypeKind.VECTOR) {
      throw new LoamException(
          ErrorCode.TYPE_MISMATCH,
          "only a VECTOR can have such an index: column=%s, type=%s; name another column"
              .formatted(field.name(), field.type()));
    }
    indexes.create(
        new VectorIndexRef(
            index,
            field.number(),
            kind.text(),
            field.metric(),
            field.type().dimension(),
            options,
            List.of()),
        () -> {});
  }

  @Override
  public boolean dropIndex(String index) {
    return indexes.drop(index);
  }

  @Override
  public void rebuildIndex(String index) {
    indexes.rebuild(index, () -> {});
  }

  @Override
  public SortedMap<String, Tag> tags() {
    return tags.all();
  }

  @Override
  public void createTag(String tag, VersionSpec version) {
    tags.create(tag, reads.read(head -> reads.find(head, version)));
  }

  @Override
  public boolean dropTag(String tag) {
    return tags.drop(tag);
  }

  @Override
  public VersionFiles files(VersionSpec version) {
    String folder = files.folder();
    String uri = files.store().uri(folder.substring(0, folder.length() - 1));
    return new VersionFiles(uri, reads.read(head -> reads.find(head, version)));
  }

  @Override
  public Verification verify(VersionSpec version) {
    for (int attempt = 1; ; attempt++) {
      Optional<Long> gcEpoch = reads.gcEpoch();
      Verification found = verifyOnce(version);
      // What is missing may have been collected meanwhile.
      if (found.findings().isEmpty() || attempt == HeadReads.ATTEMPTS || reads.gcEpoch().equals(gcEpoch)) {
        return found;
      }
    }
  }

  private Verification verifyOnce(VersionSpec version) {
    List<ReaderPins.Reader> readers = new ArrayList<>();
    try {
      return new Verifier(files, metastore)
          .run(
              head -> {
                StoredManifest stored = reads.find(head, version);
                readers.add(pins.open(stored.manifest().version(), stored.path()));
                return stored;
              });
    } finally {
      readers.forEach(ReaderPins.Reader::close);
    }
  }

  /** Removes what nothing needs; see {@link GarbageCollector}. */
  List<Garbage> collectGarbage(GcOptions options) {
    return options.dryRun() ? garbage.run(options) : turns.run(() -> garbage.run(options));
  }

  /** Keeps pinned what is read for long; called by a timer. */
  void renewPins() {
    pins.tick();
  }

  void buildPart(String planPath, int part, Runnable checkpoint) {
    localParts.run(planPath, part, checkpoint);
  }

  @Override
  public void close() {
    held.close();
  }
}
