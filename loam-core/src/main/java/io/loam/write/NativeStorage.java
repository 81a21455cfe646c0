package io.loam.write;

import io.loam.commit.CommitStorage;
import io.loam.commit.NewRow;
import io.loam.lance.CommittedVersion;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceWorkspace;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.FragmentMap;
import io.loam.leaf.Leaf;
import io.loam.leaf.LeafData;
import io.loam.leaf.MemoryRows;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.SplitLeaf;
import io.loam.leaf.TailFile;
import io.loam.leaf.TailLeaf;
import io.loam.leaf.VersionOpener;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import io.loam.store.Ulid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.roaringbitmap.RoaringBitmap;

/**
 * Commits' data: few rows as a file of the tail, many as a Lance fragment and a split with the
 * files beside it. A Lance version is made only where fragments change.
 */
public final class NativeStorage implements CommitStorage {
  /** A commit of more rows, or a larger file of them, makes a split instead of joining the tail. */
  static final int MAX_TAIL_BATCH = 1_000;

  private static final int MAX_TAIL_FILE_BYTES = 8 << 20;

  private final CollectionFiles files;
  private final VersionOpener versions;
  private final FragmentWriter writer;
  private final TailFold fold;

  public NativeStorage(CollectionFiles files, VersionOpener versions, Executor executor) {
    this.files = files;
    this.versions = versions;
    this.writer = new FragmentWriter(files, executor);
    this.fold = new TailFold(writer);
  }

  /** Rows that are written, either way. */
  private record Prepared(
      Optional<TailFold.Part> part, Optional<FragmentWriter.Written> written, int count)
      implements PreparedRows {}

  @Override
  public PreparedRows prepare(CollectionSchema schema, List<NewRow> rows, IntSupplier fragmentIds) {
    RowIdRange range = new RowIdRange(rows.get(0).rowId(), rows.size());
    List<MemoryRows.Row> values =
        rows.stream().map(r -> new MemoryRows.Row(r.key(), r.values())).toList();
    Optional<TailFold.Part> part =
        rows.size() <= MAX_TAIL_BATCH ? writeTail(schema, range, values) : Optional.empty();
    if (part.isPresent()) {
      return new Prepared(part, Optional.empty(), rows.size());
    }
    FragmentWriter.Written written =
        writer.write(
            schema, fragmentIds.getAsInt(), List.of(range), values, () -> index(schema, values));
    written.join();
    return new Prepared(Optional.empty(), Optional.of(written), rows.size());
  }

  @Override
  public PreparedRows renamed(PreparedRows rows) {
    Prepared prepared = (Prepared) rows;
    return new Prepared(
        prepared.part().map(part -> new TailFold.Part(renamed(part.ref()), part.rows())),
        prepared.written().map(writer::renamed),
        prepared.count());
  }

  private TailRef renamed(TailRef ref) {
    FileRef file = files.copy(ref.file(), "tail/" + Ulid.next() + ".arrow");
    return new TailRef(file, ref.rowIds(), ref.schemaVersion(), ref.deleted());
  }

  private static LeafData index(CollectionSchema schema, List<MemoryRows.Row> rows) {
    LeafData.Builder builder = LeafData.builder(schema);
    rows.forEach(r -> builder.add(r.key().value(), r.values()));
    return builder.build();
  }

  /** The rows as a part of the tail, unless their file would be too large. */
  private Optional<TailFold.Part> writeTail(
      CollectionSchema schema, RowIdRange range, List<MemoryRows.Row> rows) {
    return TailFile.encode(schema, rows, MAX_TAIL_FILE_BYTES)
        .map(content -> files.stage("tail/" + Ulid.next() + ".arrow", content))
        .map(
            file ->
                new TailFold.Part(
                    new TailRef(file, range, schema.version(), new RoaringBitmap()),
                    new MemoryRows(schema, range.start(), rows)));
  }

  @Override
  public Contents apply(
      Manifest parent,
      CollectionSchema schema,
      List<PreparedRows> rows,
      long[] removed,
      IntSupplier fragmentIds) {
    List<Prepared> added = rows.stream().map(Prepared.class::cast).toList();
    OpenVersion version = versions.acquire(parent, schema);
    try {
      return new Application(version, added, removed, fragmentIds).run();
    } finally {
      versions.release(version);
    }
  }

  @Override
  public Contents alter(Manifest parent, CollectionSchema before, CollectionSchema after) {
    return new AddedColumns(files).alter(parent, before, after);
  }

  @Override
  public Contents reindex(Manifest parent, CollectionSchema schema) {
    OpenVersion version = versions.acquire(parent, schema);
    try {
      return new Reindex(version, new SplitFiles(files)).run();
    } finally {
      versions.release(version);
    }
  }

  /** Lets readers of this process find the rows without reading them back. */
  @Override
  public void landed(PreparedRows rows) {
    ((Prepared) rows).part().ifPresent(part -> versions.putTail(part.ref(), part.rows()));
  }

  /**
   * The Lance version that goes with a change.
   *
   * @param deletions new deletion files by fragment id
   * @param removedFragments ids of fragments that lost their last row
   */
  private record LanceChange(
      long version,
      FileRef manifest,
      Map<Integer, FileRef> deletions,
      Set<Integer> removedFragments) {}

  /** Applies one change to one parent. */
  private final class Application {
    private final OpenVersion version;
    private final Manifest parent;
    private final List<Prepared> added;
    private final long[] removed;
    private final IntSupplier fragmentIds;
    private final List<String> staged = new ArrayList<>();

    Application(
        OpenVersion version, List<Prepared> added, long[] removed, IntSupplier fragmentIds) {
      this.version = version;
      this.parent = version.manifest();
      this.added = added;
      this.removed = removed;
      this.fragmentIds = fragmentIds;
    }

    Contents run() {
      List<FragmentWriter.Written> written = new ArrayList<>();
      added.forEach(rows -> rows.written().ifPresent(written::add));
      List<TailRef> tail = tail();
      if (!fold.isDue(tail)) {
        addedParts().forEach(part -> staged.add(files.folder() + part.ref().file().path()));
        return contents(tail, written);
      }
      FragmentWriter.Written folded =
          fold.fold(version.schema(), fragmentIds.getAsInt(), parts(tail));
      try {
        written.add(folded);
        return contents(List.of(), written);
      } finally {
        folded.settle();
      }
    }

    private Contents contents(List<TailRef> tail, List<FragmentWriter.Written> written) {
      LanceChange lance = changeLance(written);
      List<SplitRef> splits = splits(written);
      written.forEach(FragmentWriter.Written::join);
      long live =
          parent.liveDocuments() - removed.length + added.stream().mapToInt(Prepared::count).sum();
      return new Contents(
          lance.version(), lance.manifest(), splits, fragments(lance, written), tail, live, staged);
    }

    /** Makes a Lance version, if fragments change, and hands its files to the store. */
    private LanceChange changeLance(List<FragmentWriter.Written> written) {
      Map<Integer, int[]> offsets = offsets();
      if (written.isEmpty() && offsets.isEmpty()) {
        return new LanceChange(parent.lanceVersion(), parent.lanceManifest(), Map.of(), Set.of());
      }
      try (LanceWorkspace workspace = files.lanceFiles().workspace()) {
        List<FileRef> needed = new ArrayList<>(List.of(parent.lanceManifest()));
        parent.fragments().stream()
            .filter(f -> offsets.containsKey(f.id()))
            .flatMap(f -> f.deletion().stream())
            .forEach(needed::add);
        workspace.bring(needed);
        CommittedVersion committed =
            files
                .lance()
                .commit(
                    workspace.uri(),
                    parent.lanceVersion(),
                    written.stream().map(FragmentWriter.Written::fragment).toList(),
                    offsets);
        return publish(workspace, committed);
      }
    }

    private LanceChange publish(LanceWorkspace workspace, CommittedVersion committed) {
      Map<Integer, FileRef> deletions = new HashMap<>();
      committed
          .deletionFiles()
          .forEach((fragment, path) -> deletions.put(fragment, workspace.describe(path)));
      FileRef manifest = workspace.describe(committed.manifestFile());
      List<String> paths = new ArrayList<>(committed.deletionFiles().values());
      paths.add(committed.manifestFile());
      workspace.publish(paths);
      paths.forEach(path -> staged.add(files.folder() + LanceFiles.FOLDER + path));
      return new LanceChange(
          committed.version(), manifest, deletions, committed.removedFragments());
    }

    /** Physical offsets to delete, by fragment id. */
    private Map<Integer, int[]> offsets() {
      Map<Integer, List<Integer>> byFragment = new TreeMap<>();
      for (long rowId : removed) {
        for (FragmentMap.Run run : version.fragments().runs(new RowIdRange(rowId, 1))) {
          int id = parent.fragments().get(run.fragment()).id();
          byFragment.computeIfAbsent(id, f -> new ArrayList<>()).add(run.firstRow());
        }
      }
      Map<Integer, int[]> offsets = new HashMap<>();
      byFragment.forEach(
          (id, rows) -> offsets.put(id, rows.stream().mapToInt(Integer::intValue).toArray()));
      return offsets;
    }

    private List<FragmentRef> fragments(LanceChange lance, List<FragmentWriter.Written> written) {
      List<FragmentRef> fragments = new ArrayList<>();
      for (FragmentRef f : parent.fragments()) {
        if (lance.removedFragments().contains(f.id())) {
          continue;
        }
        FileRef deletion = lance.deletions().get(f.id());
        fragments.add(
            deletion == null
                ? f
                : new FragmentRef(
                    f.id(), f.physicalRows(), f.rowIds(), f.files(), Optional.of(deletion)));
      }
      written.forEach(w -> fragments.add(w.ref()));
      // Writers that overtook each other land with their ids out of turn.
      fragments.sort(Comparator.comparingInt(FragmentRef::id));
      return fragments;
    }

    private List<SplitRef> splits(List<FragmentWriter.Written> written) {
      List<SplitRef> splits = new ArrayList<>();
      for (int i = 0; i < parent.splits().size(); i++) {
        SplitLeaf leaf = (SplitLeaf) version.leaves().get(i);
        SplitRef ref = parent.splits().get(i);
        int[] docs = docs(leaf);
        splits.add(
            docs.length == 0
                ? ref
                : DeletedDocuments.stage(files, ref, leaf.deleting(docs), staged));
      }
      written.forEach(w -> splits.add(w.split()));
      splits.sort(Comparator.comparingLong(s -> s.rowIds().get(0).start()));
      return splits;
    }

    private int[] docs(SplitLeaf leaf) {
      return java.util.Arrays.stream(removed).mapToInt(leaf::doc).filter(d -> d >= 0).toArray();
    }

    private Stream<TailFold.Part> addedParts() {
      return added.stream().flatMap(rows -> rows.part().stream());
    }

    /** The parent's tail less what is deleted, and the added rows that join it. */
    private List<TailRef> tail() {
      List<TailRef> tail = new ArrayList<>();
      for (TailRef ref : parent.tail()) {
        RoaringBitmap deleted = ref.deleted().clone();
        for (long rowId : removed) {
          if (ref.rowIds().contains(rowId)) {
            deleted.add((int) (rowId - ref.rowIds().start()));
          }
        }
        TailRef changed = ref.withDeleted(deleted);
        if (changed.liveRows() > 0) {
          tail.add(changed);
        }
      }
      addedParts().forEach(part -> tail.add(part.ref()));
      // Writers that overtook each other land with their ids out of turn.
      tail.sort(Comparator.comparingLong(t -> t.rowIds().start()));
      return tail;
    }

    /** The tail with its rows. */
    private List<TailFold.Part> parts(List<TailRef> tail) {
      Map<Long, MemoryRows> rows = new HashMap<>();
      addedParts().forEach(p -> rows.put(p.rows().rowIds().start(), p.rows()));
      for (Leaf leaf : version.leaves()) {
        if (leaf instanceof TailLeaf t) {
          rows.put(t.rows().rowIds().start(), t.rows());
        }
      }
      return tail.stream()
          .map(ref -> new TailFold.Part(ref, rows.get(ref.rowIds().start())))
          .toList();
    }
  }
}
