package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.GarbageCollector;
import io.loam.maintain.GcOptions;
import io.loam.maintain.Leases;
import io.loam.maintain.Pins;
import io.loam.manifest.FileRef;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.VersionFinder;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import io.loam.store.FreshObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * One run of a few writers, two of which are threads of one process, and a garbage collector, by a
 * seed; then all is checked.
 */
final class Simulation {
  private static final int WRITERS = 4;
  private static final int THREADS_OF_ONE = 2;
  private static final int COMMITS = 4;
  private static final int COLLECTIONS = 3;
  private static final long KEYS = 8;
  private static final String COLLECTION = "c1";

  /** What came of all runs. */
  static final class Totals {
    long acknowledged;
    long together;
    long unknownLanded;
    long unknownAbsent;
    long conflicts;
    long duplicates;
    long failures;
    long removedObjects;
    long renamed;

    @Override
    public String toString() {
      return "acknowledged=%d, together=%d, unknownLanded=%d, unknownAbsent=%d, conflicts=%d, duplicates=%d, failures=%d, removedObjects=%d, renamed=%d"
          .formatted(
              acknowledged,
              together,
              unknownLanded,
              unknownAbsent,
              conflicts,
              duplicates,
              failures,
              removedObjects,
              renamed);
    }
  }

  private final Scheduler scheduler;
  private final SimulatedStore store;
  private final MemoryStorage storage;
  private final List<SimulatedCommit> commits = new ArrayList<>();
  private final SimulatedHistory history;
  private long removedObjects;

  Simulation(long seed) {
    scheduler = new Scheduler(seed);
    double faultRate = seed % 3 == 0 ? 0 : 0.02 * (1 + seed % 4);
    store = new SimulatedStore(scheduler, faultRate);
    Metastore writing = new Metastore(store, COLLECTION);
    storage = new MemoryStorage(path -> file(writing, path));
    history = new SimulatedHistory(store, new Metastore(store.past(), COLLECTION), storage);
  }

  private FileRef file(Metastore metastore, String path) {
    byte[] content = path.getBytes(StandardCharsets.UTF_8);
    FreshObject.stage(store, metastore.path(path), content);
    return FileRef.of(path, content);
  }

  void run(Totals totals) {
    store.observeHeads(history::observe);
    create();
    CommitQueue shared = queue();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      scheduler.add(() -> write(number, number < THREADS_OF_ONE ? shared : queue()));
    }
    scheduler.add(this::collect);
    scheduler.run(store::pass);
    store.settle();
    history.check(commits, totals);
    totals.removedObjects += removedObjects;
    totals.renamed += storage.renamed();
  }

  private void create() {
    Metastore metastore = new Metastore(store, COLLECTION);
    CollectionSchema schema =
        new SchemaBuilder()
            .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
            .add("name", FieldType.of(TypeKind.VARCHAR), true, "", "")
            .primaryKey("id")
            .option("retention.minutes", "0")
            .option("retention.versions", "2")
            .build();
    Manifest first =
        new Manifest(
            1,
            0,
            "",
            schema.version(),
            metastore.writeSchema(schema),
            1,
            Manifest.CommitKind.SCHEMA,
            1,
            file(metastore, "lance/_versions/1.manifest"),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            1,
            1,
            0,
            Optional.empty());
    metastore.createHead(Head.first(metastore.writeManifest(first)));
  }

  /** One whose waiting threads let others run. */
  private CommitQueue queue() {
    return new CommitQueue(
        signal -> {
          while (!signal.isDone()) {
            scheduler.step();
          }
          return signal.join();
        });
  }

  /** A process of its own as far as the protocol sees, but for the queue. */
  private void write(int writer, CommitQueue queue) {
    Metastore metastore = new Metastore(store, COLLECTION);
    Committer committer =
        new Committer(store, metastore, storage, storage::lookup, store.clock(), queue);
    for (int i = 0; i < COMMITS; i++) {
      SimulatedCommit commit = new SimulatedCommit("w" + writer + "-" + i, 100 + 10L * writer + i);
      commits.add(commit);
      try {
        fill(commit, metastore);
      } catch (LoamException e) {
        commit.failed(e.code());
        continue;
      }
      try {
        commit.acknowledged(committer.commit(commit.batch()));
      } catch (LoamException e) {
        commit.failed(e.code());
      }
    }
  }

  /** Chooses what a commit does. */
  private void fill(SimulatedCommit commit, Metastore metastore) {
    Random random = scheduler.random();
    int kind = random.nextInt(4);
    if (kind == 0) {
      commit.begin(WriteBatch.create(), Map.of());
      commit.insert(key(random));
    } else if (kind == 1) {
      commit.begin(WriteBatch.create(), Map.of());
      commit.upsert(key(random));
      commit.upsert(KEYS + key(random));
    } else {
      Manifest base = metastore.readManifest(metastore.head().value().manifestPath());
      Map<Long, Long> rowIds = new TreeMap<>();
      storage.live(base).forEach((key, row) -> rowIds.put((Long) key.value(), row.rowId()));
      boolean isolated = kind == 3;
      commit.begin(
          isolated ? WriteBatch.isolatedOn(base.version()) : WriteBatch.basedOn(base.version()),
          rowIds);
      change(commit, key(random), rowIds);
      change(commit, KEYS + key(random), rowIds);
    }
    commit.upsert(commit.ownKey());
  }

  private void change(SimulatedCommit commit, long key, Map<Long, Long> rowIds) {
    if (!rowIds.containsKey(key)) {
      commit.insert(key);
    } else if (scheduler.random().nextBoolean()) {
      commit.replace(key, rowIds.get(key));
    } else {
      commit.delete(key, rowIds.get(key));
    }
  }

  private static long key(Random random) {
    return random.nextInt((int) KEYS);
  }

  private void collect() {
    Metastore metastore = new Metastore(store, COLLECTION);
    GarbageCollector collector =
        new GarbageCollector(
            store,
            metastore,
            new VersionFinder(metastore, COLLECTION),
            new Leases(store, metastore, store.clock()),
            new Pins(store, metastore));
    GcOptions atOnce = GcOptions.defaults().withGrace(Duration.ZERO);
    for (int i = 0; i < COLLECTIONS; i++) {
      for (int pause = scheduler.random().nextInt(30); pause > 0; pause--) {
        scheduler.step();
      }
      try {
        removedObjects += collector.run(atOnce).size();
      } catch (LoamException e) {
        if (e.code() == ErrorCode.INTERNAL) {
          throw e;
        }
      }
    }
  }
}
