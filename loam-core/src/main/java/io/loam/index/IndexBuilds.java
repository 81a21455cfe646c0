package io.loam.index;

import io.loam.commit.CommitQueue;
import io.loam.commit.NextVersion;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.OpenVersion;
import io.loam.maintain.Upkeep;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.VectorIndexRef;
import io.loam.schema.CollectionSchema;
import io.loam.store.FreshObject;
import io.loam.store.Ulid;
import io.loam.vector.IndexKind;
import io.loam.vector.IndexOptions;
import io.loam.vector.Metric;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Builds, rebuilds and drops the vector indexes of one collection. */
public final class IndexBuilds {
  private static final int REBUILD_ATTEMPTS = 3;

  private final Metastore metastore;
  private final CollectionFiles files;
  private final PartRunner runner;
  private final SegmentCommit commits;
  private final Versions versions;
  private final RunningBuilds running = new RunningBuilds();

  /** A version that is pinned while it is read. */
  public interface Pinned extends AutoCloseable {
    String manifestPath();

    OpenVersion version();

    @Override
    void close();
  }

  /** Opens versions that are read for long. */
  public interface Versions {
    Pinned open(Head head);
  }

  /**
   * Builds with a runner.
   *
   * @param queue that the process's writers use
   */
  public IndexBuilds(
      Metastore metastore,
      CollectionFiles files,
      NextVersion next,
      CommitQueue queue,
      Versions versions,
      PartRunner runner) {
    this.metastore = metastore;
    this.files = files;
    this.versions = versions;
    this.runner = runner;
    this.commits = new SegmentCommit(metastore, next, queue);
  }

  /** Builds of this object that have not ended, the oldest first. */
  public List<Upkeep.Running> running() {
    return running.toList();
  }

  /** Checks what an index is to be; fails with a code that says what to mend. */
  public static void check(VectorIndexRef index) {
    IndexOptions.of(index.options())
        .check(
            IndexKind.named(index.kind()),
            Metric.valueOf(index.metric().toUpperCase(Locale.ROOT)),
            index.dimension());
  }

  /**
   * Makes an index over all rows that are in fragments. Fails with {@code DUPLICATE_INDEX}.
   *
   * @param index without segments
   */
  public void create(VectorIndexRef index, Runnable checkpoint) {
    check(index);
    Head head = metastore.head().value();
    SegmentChange.Create.checkFree(metastore.readManifest(head.manifestPath()), index.name());
    try (Pinned pinned = versions.open(head)) {
      checkField(pinned.version().schema(), index);
      BuiltParts built =
          build(
              pinned,
              head,
              index,
              allRows(pinned.version()),
              IndexPlanner.Parts.BY_SIZE,
              checkpoint);
      commits.commit(
          Manifest.CommitKind.INDEX_BUILD,
          newest -> {
            Manifest base = metastore.readManifest(newest.manifestPath());
            checkField(metastore.readSchema(base.schemaPath()), index);
            return new SegmentChange.Create(index.withSegments(built.under(newest)));
          },
          checked(checkpoint));
    }
  }

  /** Builds an index anew over all rows that are in fragments. */
  public void rebuild(String name, Runnable checkpoint) {
    for (int attempt = 0; attempt < REBUILD_ATTEMPTS; attempt++) {
      Head head = metastore.head().value();
      try (Pinned pinned = versions.open(head)) {
        VectorIndexRef index =
            pinned.version().manifest().index(name).orElseThrow(() -> unknown(name));
        Set<String> removed =
            index.segments().stream().map(SegmentRef::ulid).collect(Collectors.toSet());
        BuiltParts built =
            build(
                pinned,
                head,
                index,
                allRows(pinned.version()),
                IndexPlanner.Parts.BY_SIZE,
                checkpoint);
        boolean nothing = built.isEmpty() && removed.isEmpty();
        if (nothing || replace(built, index, removed, checked(checkpoint)).isPresent()) {
          return;
        }
      }
    }
    throw new LoamException(
        ErrorCode.CONFLICT,
        "segments of the index came and went while it was rebuilt: index=" + name + "; try again");
  }

  /**
   * Builds segments over some rows, or one in place of others; the version that has them, or
   * nothing where one of the replaced ones is not there any more, or others cover the rows.
   *
   * @param index with the segments of {@code pinned}
   * @param removed names of segments
   * @param head that the version was opened by
   */
  public Optional<Long> build(
      Pinned pinned,
      Head head,
      VectorIndexRef index,
      List<RowIdRange> rowIds,
      Set<String> removed,
      Consumer<Head> check) {
    IndexPlanner.Parts parts =
        removed.isEmpty() ? IndexPlanner.Parts.BY_SIZE : IndexPlanner.Parts.ONE;
    BuiltParts built = build(pinned, head, index, rowIds, parts, () -> check.accept(head));
    return replace(built, index, removed, check);
  }

  private Optional<Long> replace(
      BuiltParts built, VectorIndexRef index, Set<String> removed, Consumer<Head> check) {
    VectorIndexRef same = index.withSegments(List.of());
    return commits.commit(
        Manifest.CommitKind.INDEX_BUILD,
        newest -> new SegmentChange.Replace(same, built.under(newest), removed),
        check);
  }

  /** Takes an index away; false where there was none of this name. */
  public boolean drop(String name) {
    return commits
        .commit(Manifest.CommitKind.INDEX_BUILD, head -> new SegmentChange.Drop(name), head -> {})
        .isPresent();
  }

  private BuiltParts build(
      Pinned pinned,
      Head head,
      VectorIndexRef index,
      List<RowIdRange> rowIds,
      IndexPlanner.Parts parts,
      Runnable checkpoint) {
    try (RunningBuilds.Build build = running.begin(index.name(), checkpoint)) {
      Optional<BuildPlan> plan =
          new IndexPlanner(files, pinned.version(), index, checkpoint)
              .plan(pinned.manifestPath(), rowIds, parts);
      List<SegmentRef> segments = plan.map(planned -> run(planned, build)).orElse(List.of());
      return new BuiltParts(files, segments, head);
    }
  }

  private List<SegmentRef> run(BuildPlan plan, RunningBuilds.Build build) {
    build.planned(plan.parts().size());
    String planPath = files.folder() + "plans/" + Ulid.next() + ".json";
    FreshObject.put(files.store(), planPath, plan.encode());
    runner.run(planPath, plan, build);
    return plan.parts().stream().map(part -> PartCheck.check(files, plan, part)).toList();
  }

  private static Consumer<Head> checked(Runnable checkpoint) {
    return head -> checkpoint.run();
  }

  private static List<RowIdRange> allRows(OpenVersion version) {
    return IndexPlanner.rowIds(version.manifest().fragments());
  }

  private static void checkField(CollectionSchema schema, VectorIndexRef index) {
    if (schema.fields().stream()
        .noneMatch(
            field ->
                field.number() == index.fieldNumber()
                    && field.type().dimension() == index.dimension())) {
      throw new LoamException(
          ErrorCode.UNKNOWN_COLUMN,
          "the column of the index is not there any more: index="
              + index.name()
              + "; look at its table");
    }
  }

  private static LoamException unknown(String name) {
    return new LoamException(
        ErrorCode.UNKNOWN_INDEX,
        "no such index: name=" + name + "; look into the table's $segments");
  }
}
