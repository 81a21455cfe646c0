package io.loam.maintain;

import io.loam.commit.CommitQueue;
import io.loam.commit.CommitStorage;
import io.loam.commit.IdReserve;
import io.loam.commit.Landing;
import io.loam.commit.NextVersion;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.Versioned;
import io.loam.schema.CollectionSchema;
import io.loam.store.ObjectStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps one collection fast: does what is due, step by step, each a version of its own. A step that
 * ends anywhere leaves garbage only. Writers go on meanwhile; what they delete from a step's inputs
 * is deleted from its result before that becomes a version.
 */
public final class Optimizer {
  /** Steps whose inputs went away while they were worked on, before a run ends. */
  private static final int MOST_DROPPED = 20;

  private final Metastore metastore;
  private final Leases leases;
  private final MaintenanceStorage storage;
  private final IndexMaintenance indexes;
  private final NextVersion versions;
  private final IdReserve ids;

  private final CommitQueue queue;

  /**
   * @param queue that the process's writers use
   */
  public Optimizer(
      ObjectStore store,
      Metastore metastore,
      Leases leases,
      MaintenanceStorage storage,
      IndexMaintenance indexes,
      CommitQueue queue) {
    this.metastore = metastore;
    this.leases = leases;
    this.storage = storage;
    this.indexes = indexes;
    this.ids = new IdReserve(metastore);
    this.versions = new NextVersion(store, metastore, Clock.systemUTC());
    this.queue = queue;
  }

  /**
   * Does all that is due of some parts, in what was there at the start. Fails with {@code CONFLICT}
   * while other maintenance runs, or takes over.
   *
   * @param checkpoint called now and then; what it throws ends the run after the steps done so far
   */
  public List<Step> run(Set<Part> parts, Runnable checkpoint) {
    return run("optimize", parts, Thoroughness.FULL, checkpoint);
  }

  /** Likewise, but only what saves more than it costs. Whoever asks for maintenance goes first. */
  public List<Step> runInBackground(Runnable checkpoint) {
    return run(Leases.BACKGROUND, Set.of(Part.values()), Thoroughness.BACKGROUND, checkpoint);
  }

  /** Whether {@link #runInBackground} would do anything now. */
  public boolean isDueInBackground() {
    Manifest newest = metastore.readManifest(metastore.head().value().manifestPath());
    return !plan(newest, Set.of(Part.values()), Thoroughness.BACKGROUND, Long.MAX_VALUE).isEmpty();
  }

  /** What {@link #run} would do in a version, were it the newest. */
  public List<Due> due(Manifest version) {
    return plan(version, Set.of(Part.values()), Thoroughness.FULL, Long.MAX_VALUE);
  }

  /**
   * What versions did, newest first.
   *
   * @param manifests newest first
   */
  public static List<Upkeep.Done> done(List<Manifest> manifests) {
    List<Upkeep.Done> done = new ArrayList<>();
    for (int i = 0; i + 1 < manifests.size(); i++) {
      Manifest child = manifests.get(i);
      if (child.parentVersion() == manifests.get(i + 1).version()) {
        StepText.of(manifests.get(i + 1), child)
            .ifPresent(step -> done.add(new Upkeep.Done(step, child.createdAtMillis())));
      }
    }
    return done;
  }

  private List<Step> run(
      String purpose, Set<Part> parts, Thoroughness thoroughness, Runnable checkpoint) {
    List<Step> steps = new ArrayList<>();
    try (Lease lease = leases.acquire(purpose, Leases.TIME).keepAlive()) {
      Manifest first = metastore.readManifest(metastore.head().value().manifestPath());
      for (int dropped = 0; dropped < MOST_DROPPED; ) {
        checkpoint.run();
        Versioned<Head> head = metastore.head();
        lease.check(head.value());
        Manifest base = metastore.readManifest(head.value().manifestPath());
        List<Due> due = plan(base, parts, thoroughness, first.nextRowId());
        if (due.isEmpty()) {
          break;
        }
        Task task = due.get(0).task();
        Optional<Step> step =
            due.get(0).part() == Part.INDEXES
                ? index(task, lease, checkpoint)
                : new Attempt(task, base, lease, checkpoint).run(head);
        if (step.isPresent()) {
          steps.add(step.get());
        } else {
          dropped++;
        }
      }
    }
    if (parts.contains(Part.FILES)) {
      int removed = storage.sweep();
      if (removed > 0) {
        steps.add(new Step(Part.FILES, "removed leftover temporary files: count=" + removed, 0));
      }
    }
    return steps;
  }

  private Optional<Step> index(Task task, Lease lease, Runnable checkpoint) {
    Optional<Long> version =
        indexes.run(
            task,
            head -> {
              lease.check(head);
              checkpoint.run();
            });
    return version.flatMap(this::step);
  }

  /** What a version did that is at or shortly before the head. */
  private Optional<Step> step(long version) {
    Manifest child = metastore.readManifest(metastore.head().value().manifestPath());
    while (child.version() > version) {
      child = metastore.readManifest(child.parentPath());
    }
    return StepText.of(metastore.readManifest(child.parentPath()), child);
  }

  private List<Due> plan(Manifest base, Set<Part> parts, Thoroughness thoroughness, long endRowId) {
    CollectionSchema schema = metastore.readSchema(base.schemaPath());
    MaintenancePlan plan = new MaintenancePlan(base, schema, thoroughness, endRowId);
    List<Due> due = new ArrayList<>();
    if (parts.contains(Part.TAIL)) {
      due.addAll(plan.tail());
    }
    if (parts.contains(Part.SPLITS)) {
      due.addAll(plan.splits());
    }
    if (parts.contains(Part.FRAGMENTS)) {
      due.addAll(plan.fragments(storage.liveRows(base, schema)));
    }
    if (parts.contains(Part.INDEXES)) {
      due.addAll(plan.indexes(indexes));
    }
    return due;
  }

  /** One task on its way onto the head: its work is done once, whatever heads it is tried on. */
  private final class Attempt implements Landing.Change {
    private final Manifest base;
    private final CollectionSchema schema;
    private final Lease lease;
    private final Runnable checkpoint;
    private final MaintenanceStorage.Prepared prepared;

    /** The manifest last written and the one that it follows. */
    private Manifest written;

    private Manifest writtenOn;

    Attempt(Task task, Manifest base, Lease lease, Runnable checkpoint) {
      this.base = base;
      this.written = base;
      this.writtenOn = base;
      this.schema = metastore.readSchema(base.schemaPath());
      this.lease = lease;
      this.checkpoint = checkpoint;
      this.prepared = storage.prepare(base, schema, task, () -> ids.fragment(base), this::progress);
    }

    private void progress() {
      lease.progress();
      checkpoint.run();
    }

    /** What was done, or nothing if an input went away. */
    Optional<Step> run(Versioned<Head> head) {
      return queue
          .alone(() -> new Landing(metastore, this).land(head, base))
          .flatMap(version -> StepText.of(writtenOn, written));
    }

    @Override
    public void check(Head head) {
      lease.check(head);
      checkpoint.run();
    }

    @Override
    public Optional<StoredManifest> write(String basePath, Manifest newBase) {
      Optional<StoredManifest> next =
          storage
              .apply(newBase, schema, prepared)
              .map(
                  (CommitStorage.Contents contents) ->
                      versions.write(
                          basePath,
                          newBase,
                          Manifest.CommitKind.MAINTENANCE,
                          contents,
                          newBase.nextRowId(),
                          Optional.empty()));
      writtenOn = newBase;
      next.ifPresent(stored -> written = stored.manifest());
      return next;
    }

    @Override
    public boolean isOvertaken(List<Manifest> since) {
      return false; // writing tells whether the inputs are still there
    }
  }
}
