package io.loam.write;

import io.loam.commit.CommitStorage;
import io.loam.commit.NewRow;
import io.loam.error.Futures;
import io.loam.lance.CommittedVersion;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceRow;
import io.loam.lance.LanceWorkspace;
import io.loam.lance.WrittenFragment;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.DeleteBitmapFile;
import io.loam.leaf.FragmentMap;
import io.loam.leaf.LeafData;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.SplitLeaf;
import io.loam.leaf.VersionOpener;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.IdBlock;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.SourceCodec;
import io.loam.schema.TypeKind;
import io.loam.store.Ulid;
import io.loam.text.DeleteBitmap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/** Commits' data in Lance fragments, Tantivy splits and the files beside them. */
public final class NativeStorage implements CommitStorage {
  /** A commit of more rows makes a split of its own instead of joining the tail. */
  static final int MAX_TAIL_BATCH = 1_000;

  private final CollectionFiles files;
  private final VersionOpener versions;
  private final SplitFiles splitFiles;
  private final TailFold fold;
  private final Executor executor;

  public NativeStorage(CollectionFiles files, VersionOpener versions, Executor executor) {
    this.files = files;
    this.versions = versions;
    this.splitFiles = new SplitFiles(files);
    this.fold = new TailFold(splitFiles);
    this.executor = executor;
  }

  /**
   * Rows that are written.
   *
   * @param split of the rows, or null where they join the tail
   * @param index of the rows where they join the tail
   * @param forced done when the fragment is on stable storage
   */
  record Prepared(
      WrittenFragment fragment,
      FragmentRef fragmentRef,
      @Nullable SplitRef split,
      TailRef tail,
      @Nullable LeafData index,
      List<NewRow> rows,
      CompletableFuture<Void> forced)
      implements PreparedRows {}

  @Override
  public PreparedRows prepare(CollectionSchema schema, IdBlock ids, List<NewRow> rows) {
    RowIdRange range = new RowIdRange(rows.get(0).rowId(), rows.size());
    boolean own = rows.size() > MAX_TAIL_BATCH;
    CompletableFuture<@Nullable SplitRef> split =
        own
            ? CompletableFuture.supplyAsync(
                () -> splitFiles.write(index(schema, rows), List.of(range), schema.version()),
                executor)
            : CompletableFuture.completedFuture(null);
    try {
      Data data = writeData(schema, ids.firstFragmentId(), range, rows);
      FragmentRef ref =
          new FragmentRef(
              data.fragment().id(), range.count(), List.of(range), data.files(), Optional.empty());
      TailRef tail =
          new TailRef(
              ref.id(), range, textBytes(schema, rows), schema.version(), new RoaringBitmap());
      @Nullable LeafData index = own ? null : index(schema, rows);
      return new Prepared(
          data.fragment(), ref, Futures.join(split), tail, index, rows, data.forced());
    } finally {
      split.exceptionally(e -> null).join(); // nothing of a commit outlives it
    }
  }

  /** A fragment whose files are being brought to stable storage. */
  private record Data(
      WrittenFragment fragment, List<FileRef> files, CompletableFuture<Void> forced) {}

  private Data writeData(
      CollectionSchema schema, int fragmentId, RowIdRange range, List<NewRow> rows) {
    LanceWorkspace workspace = files.lanceFiles().workspace();
    try {
      WrittenFragment fragment = writeFragment(workspace, schema, fragmentId, range, rows);
      List<FileRef> described = fragment.files().stream().map(workspace::describe).toList();
      CompletableFuture<Void> forced =
          CompletableFuture.runAsync(() -> force(workspace, fragment.files()), executor);
      return new Data(fragment, described, forced);
    } catch (RuntimeException | Error e) {
      workspace.close();
      throw e;
    }
  }

  private WrittenFragment writeFragment(
      LanceWorkspace workspace,
      CollectionSchema schema,
      int fragmentId,
      RowIdRange range,
      List<NewRow> rows) {
    List<Integer> vectors = new ArrayList<>();
    for (Field field : schema.fields()) {
      if (field.kind() == TypeKind.VECTOR || field.kind() == TypeKind.SPARSEVECTOR) {
        vectors.add(schema.position(field.number()));
      }
    }
    Iterable<LanceRow> stream =
        () -> rows.stream().map(row -> lanceRow(schema, vectors, row)).iterator();
    return files.lance().write(workspace.uri(), schema, fragmentId, List.of(range), stream);
  }

  private static LanceRow lanceRow(CollectionSchema schema, List<Integer> vectors, NewRow row) {
    @Nullable Object[] values = new @Nullable Object[vectors.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.values()[vectors.get(i)];
    }
    return new LanceRow(row.key().bytes(), SourceCodec.encode(schema, row.values()), values);
  }

  private static LeafData index(CollectionSchema schema, List<NewRow> rows) {
    LeafData.Builder builder = LeafData.builder(schema);
    rows.forEach(r -> builder.add(r.key().value(), r.values()));
    return builder.build();
  }

  private static long textBytes(CollectionSchema schema, List<NewRow> rows) {
    long bytes = 0;
    for (int i = 0; i < schema.fields().size(); i++) {
      if (schema.fields().get(i).kind() == TypeKind.TEXT) {
        for (NewRow row : rows) {
          bytes += row.values()[i] instanceof String s ? s.length() : 0;
        }
      }
    }
    return bytes;
  }

  private void force(LanceWorkspace workspace, List<String> datasetPaths) {
    try (workspace) {
      workspace.publish(datasetPaths);
      files.store().force(datasetPaths.stream().map(this::inWarehouse).toList());
    }
  }

  private String inWarehouse(String datasetPath) {
    return files.folder() + LanceFiles.FOLDER + datasetPath;
  }

  @Override
  public Contents apply(
      Manifest parent, CollectionSchema schema, Optional<PreparedRows> rows, long[] removed) {
    Optional<Prepared> added = rows.map(r -> (Prepared) r);
    OpenVersion version = versions.acquire(parent, schema);
    try {
      return new Application(version, added, removed).run();
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
      return new Reindex(version, splitFiles).run();
    } finally {
      versions.release(version);
    }
  }

  /** Lets readers of this process find the rows without reading them back. */
  @Override
  public void landed(PreparedRows rows, long version) {
    Prepared landed = (Prepared) rows;
    if (landed.index() != null) {
      versions.putTail(landed.tail(), landed.index(), version);
    }
  }

  /**
   * A Lance version just made.
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
    private final Optional<Prepared> added;
    private final long[] removed;
    private final List<String> staged = new ArrayList<>();

    Application(OpenVersion version, Optional<Prepared> added, long[] removed) {
      this.version = version;
      this.parent = version.manifest();
      this.added = added;
      this.removed = removed;
    }

    Contents run() {
      LanceChange lance = commitLance();
      List<SplitRef> splits = splits();
      List<TailRef> tail = tail();
      long live =
          parent.liveDocuments() - removed.length + added.map(a -> a.rows().size()).orElse(0);
      if (fold.isDue(tail)) {
        splits.add(fold.fold(version, tail, added));
        tail = List.of();
      }
      splits.sort(Comparator.comparingLong(s -> s.rowIds().get(0).start()));
      added.ifPresent(a -> Futures.join(a.forced()));
      return new Contents(
          lance.version(), lance.manifest(), splits, fragments(lance), tail, live, staged);
    }

    /** Makes the Lance version and hands its files to the store. */
    private LanceChange commitLance() {
      Map<Integer, int[]> offsets = offsets();
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
                    added.map(a -> List.of(a.fragment())).orElse(List.of()),
                    offsets);
        Map<Integer, FileRef> deletions = new HashMap<>();
        committed
            .deletionFiles()
            .forEach((fragment, path) -> deletions.put(fragment, workspace.describe(path)));
        FileRef manifest = workspace.describe(committed.manifestFile());
        List<String> written = new ArrayList<>(committed.deletionFiles().values());
        written.add(committed.manifestFile());
        workspace.publish(written);
        written.forEach(path -> staged.add(inWarehouse(path)));
        return new LanceChange(
            committed.version(), manifest, deletions, committed.removedFragments());
      }
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

    private List<FragmentRef> fragments(LanceChange lance) {
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
      added.ifPresent(a -> fragments.add(a.fragmentRef()));
      // Writers that overtook each other land with their ids out of turn.
      fragments.sort(Comparator.comparingInt(FragmentRef::id));
      return fragments;
    }

    private List<SplitRef> splits() {
      List<SplitRef> splits = new ArrayList<>();
      for (int i = 0; i < parent.splits().size(); i++) {
        SplitLeaf leaf = (SplitLeaf) version.leaves().get(i);
        SplitRef ref = parent.splits().get(i);
        int[] docs = docs(leaf);
        splits.add(docs.length == 0 ? ref : withDeletes(ref, leaf, docs));
      }
      added.map(Prepared::split).ifPresent(splits::add);
      return splits;
    }

    private int[] docs(SplitLeaf leaf) {
      return java.util.Arrays.stream(removed).mapToInt(leaf::doc).filter(d -> d >= 0).toArray();
    }

    private SplitRef withDeletes(SplitRef ref, SplitLeaf leaf, int[] docs) {
      DeleteBitmap deletes = leaf.deleting(docs);
      byte[] bytes = DeleteBitmapFile.encode(deletes);
      String path = "text/deletes/" + ref.ulid() + "/" + Ulid.next() + ".bitmap";
      files.store().stage(files.folder() + path, bytes);
      staged.add(files.folder() + path);
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      return ref.withDeletes(
          new FileRef(path, bytes.length, (int) crc.getValue()), deletes.cardinality());
    }

    private List<TailRef> tail() {
      List<TailRef> tail = new ArrayList<>();
      for (TailRef t : parent.tail()) {
        RoaringBitmap deleted = t.deleted().clone();
        for (long rowId : removed) {
          if (t.rowIds().contains(rowId)) {
            deleted.add((int) (rowId - t.rowIds().start()));
          }
        }
        if (deleted.getCardinality() < t.rowIds().count()) {
          tail.add(
              new TailRef(t.fragmentId(), t.rowIds(), t.textBytes(), t.schemaVersion(), deleted));
        }
      }
      added.filter(a -> a.split() == null).ifPresent(a -> tail.add(a.tail()));
      tail.sort(Comparator.comparingInt(TailRef::fragmentId));
      return tail;
    }
  }
}
