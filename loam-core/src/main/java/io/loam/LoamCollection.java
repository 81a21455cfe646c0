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
import io.loam.manifest.VersionFinder;
import io.loam.manifest.Versioned;
import io.loam.query.Snapshot;
import io.loam.query.SnapshotOwner;
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
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A collection of an open warehouse. */
final class LoamCollection implements Collection, AutoCloseable {
  private static final int READ_ATTEMPTS = 5;

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
  private final VersionFinder finder;
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
    this.finder = new VersionFinder(metastore, name.toString());
    this.tags = new Tags(metastore, finder, Clock.systemUTC());
    Pins stored = new Pins(files.store(), metastore);
    this.pins = new ReaderPins(stored, System::nanoTime);
    CommitQueue queue = new CommitQueue();
    Leases leases = new Leases(files.store(), metastore, Clock.systemUTC());
    this.garbage = new GarbageCollector(files.store(), metastore, finder, leases, stored);
    this.localParts = new LocalParts(metastore, files, versions);
    this.indexes =
        new IndexBuilds(
            metastore,
            files,
            new NextVersion(files.store(), metastore, Clock.systemUTC()),
            queue,
            this::openLong,
            partRunner.orElse(localParts));
    this.optimizer =
        new Optimizer(
            files.store(),
            metastore,
            leases,
            new NativeMaintenance(files, versions, executor),
            new SegmentUpkeep(metastore, versions, indexes, this::openLong),
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
    return reading(head -> metastore.readSchema(find(head, version).manifest().schemaPath()));
  }

  @Override
  public Snapshot snapshot(VersionSpec version) {
    return reading(head -> open(find(head, version)));
  }

  private Snapshot open(StoredManifest stored) {
    Reading reading = new Reading(stored);
    return new VersionSnapshot(reading.version, reading);
  }

  @Override
  public Transaction begin() {
    return reading(
        head -> {
          StoredManifest stored = finder.latest(head);
          return new LoamTransaction(new TransactionBase(stored, new Reading(stored)));
        });
  }

  /** The version that a transaction reads, with what came of it. */
  private final class TransactionBase implements LoamTransaction.Base {
    private final StoredManifest stored;
    private final Reading reading;

    TransactionBase(StoredManifest stored, Reading reading) {
      this.stored = stored;
      this.reading = reading;
    }

    @Override
    public OpenVersion version() {
      return reading.version;
    }

    @Override
    public KeyLookup lookup() {
      return new VersionKeyLookup(
          versions, versions.acquire(stored.manifest(), reading.version.schema()));
    }

    @Override
    public Snapshot snapshot(OpenVersion changed) {
      return new VersionSnapshot(changed, new Reading(stored));
    }

    @Override
    public CommitResult commit(WriteBatch batch) {
      return LoamCollection.this.commit(batch);
    }

    @Override
    public void close() {
      reading.closed();
    }
  }

  @Override
  public CommitResult commit(WriteBatch batch) {
    Versioned<Head> head = batch.changes().size() <= SMALL_BATCH ? seenHead() : metastore.head();
    // A load that takes long is pinned as a reader is: what it has written so far has to stay.
    ReaderPins.Reader load = pins.open(head.value().version(), head.value().manifestPath());
    try {
      CommitResult result = committer.commit(batch, head);
      upkeep.committed(result);
      return result;
    } catch (LoamException e) {
      throw explained(e, head.value());
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
    return reading(finder::retained).stream().map(StoredManifest::manifest).toList();
  }

  @Override
  public Manifest manifest(VersionSpec version) {
    return reading(head -> find(head, version).manifest());
  }

  @Override
  public List<Step> optimize(Set<Part> parts) {
    return turns.run(() -> optimizer.run(parts, () -> {}));
  }

  @Override
  public Upkeep upkeep() {
    return new Upkeep(
        indexes.running(),
        reading(head -> optimizer.due(finder.latest(head).manifest())),
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
    tags.create(tag, reading(head -> find(head, version)));
  }

  @Override
  public boolean dropTag(String tag) {
    return tags.drop(tag);
  }

  @Override
  public VersionFiles files(VersionSpec version) {
    String folder = files.folder();
    String uri = files.store().uri(folder.substring(0, folder.length() - 1));
    return new VersionFiles(uri, reading(head -> find(head, version)));
  }

  @Override
  public Verification verify(VersionSpec version) {
    for (int attempt = 1; ; attempt++) {
      Optional<Long> gcEpoch = gcEpoch();
      Verification found = verifyOnce(version);
      // What is missing may have been collected meanwhile.
      if (found.findings().isEmpty() || attempt == READ_ATTEMPTS || gcEpoch().equals(gcEpoch)) {
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
                StoredManifest stored = find(head, version);
                readers.add(pins.open(stored.manifest().version(), stored.path()));
                return stored;
              });
    } finally {
      readers.forEach(ReaderPins.Reader::close);
    }
  }

  /** The head's epoch, or nothing where the head is damaged. */
  private Optional<Long> gcEpoch() {
    try {
      return Optional.of(head().gcEpoch());
    } catch (LoamException e) {
      if (isStorage(e)) {
        return Optional.empty();
      }
      throw e;
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

  private StoredManifest find(Head head, VersionSpec spec) {
    if (spec instanceof VersionSpec.At at) {
      return finder.at(head, at.version());
    }
    if (spec instanceof VersionSpec.AsOf asOf) {
      return finder.asOf(head, asOf.time());
    }
    if (spec instanceof VersionSpec.Tag tag) {
      return finder.tagged(head, tag.name());
    }
    return finder.latest(head);
  }

  /** Reads as of a head; where garbage was collected meanwhile, as of the head there is then. */
  private <T> T reading(Function<Head, T> read) {
    for (int attempt = 1; ; attempt++) {
      Head head = attempt == 1 ? seenHead().value() : head();
      try {
        return read.apply(head);
      } catch (LoamException e) {
        if (attempt == READ_ATTEMPTS
            || !isStorage(e)
            || headAfter(e).map(Head::gcEpoch).equals(Optional.of(head.gcEpoch()))) {
          throw explained(e, head);
        }
      }
    }
  }

  /** The head as the calling statement sees it. */
  private Versioned<Head> seenHead() {
    return Glance.of(metastore, metastore::head);
  }

  /** The head now, which the calling statement sees from here on. */
  private Head head() {
    return Glance.anew(metastore, metastore::head).value();
  }

  /** Whether an error may come from objects that are gone. */
  private static boolean isStorage(LoamException e) {
    return e.code() == ErrorCode.MISSING_OBJECT
        || e.code() == ErrorCode.CORRUPT_OBJECT
        || e.code() == ErrorCode.STORE_UNAVAILABLE;
  }

  /** What it means for a statement that saw a head that an object is gone. */
  private LoamException explained(LoamException failure, Head seen) {
    if (failure.code() != ErrorCode.MISSING_OBJECT) {
      return failure;
    }
    try {
      Head now = head();
      return now.gcEpoch() == seen.gcEpoch()
          ? failure
          : new LoamException(
              ErrorCode.CONFLICT,
              "garbage was collected while the statement ran: collection=%s, version=%d, oldestRetained=%d; run the statement again"
                  .formatted(name, seen.version(), now.oldestVersion()),
              failure);
    } catch (LoamException e) {
      if (e.code() == ErrorCode.MISSING_OBJECT) {
        return new LoamException(
            ErrorCode.UNKNOWN_COLLECTION,
            "table was dropped while the statement ran: table=" + name + "; create it again",
            failure);
      }
      failure.addSuppressed(e);
      return failure;
    }
  }

  /** The head after a failure, if it can be read. */
  private Optional<Head> headAfter(LoamException failure) {
    try {
      return Optional.of(head());
    } catch (LoamException e) {
      failure.addSuppressed(e);
      return Optional.empty();
    }
  }

  /** Holds a version open for a reader, and pins it. */
  private final class Reading implements SnapshotOwner {
    private final long number;
    private final OpenVersion version;
    private final ReaderPins.Reader reader;

    Reading(StoredManifest stored) {
      Manifest manifest = stored.manifest();
      this.number = manifest.version();
      this.reader = pins.open(number, stored.path());
      try {
        CollectionSchema schema = metastore.readSchema(manifest.schemaPath());
        this.version = versions.acquire(manifest, schema);
      } catch (RuntimeException | Error e) {
        reader.close();
        throw e;
      }
    }

    @Override
    public LoamException explain(LoamException failure) {
      return Optional.of(failure)
          .filter(LoamCollection::isStorage)
          .flatMap(LoamCollection.this::headAfter)
          .filter(head -> !head.retains(number))
          .map(head -> finder.collected(head, "version=" + number, failure))
          .orElse(failure);
    }

    @Override
    public void closed() {
      versions.release(version);
      reader.close();
    }
  }

  void buildPart(String planPath, int part, Runnable checkpoint) {
    localParts.run(planPath, part, checkpoint);
  }

  /** A version that is pinned until it is closed. */
  private IndexBuilds.Pinned openLong(Head head) {
    StoredManifest stored = finder.latest(head);
    ReaderPins.Reader reader = pins.openLong(stored.manifest().version(), stored.path());
    try {
      Reading reading = new Reading(stored);
      return new IndexBuilds.Pinned() {
        @Override
        public String manifestPath() {
          return stored.path();
        }

        @Override
        public OpenVersion version() {
          return reading.version;
        }

        @Override
        public void close() {
          reading.closed();
          reader.close();
        }
      };
    } catch (RuntimeException | Error e) {
      reader.close();
      throw e;
    }
  }

  @Override
  public void close() {
    pins.close();
    versions.close();
  }
}
