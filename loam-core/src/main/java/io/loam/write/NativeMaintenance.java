package io.loam.write;

import io.loam.commit.CommitStorage.Contents;
import io.loam.lance.CommittedVersion;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceReader;
import io.loam.lance.LanceWorkspace;
import io.loam.lance.WrittenFragment;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.DeleteBitmapFile;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.VersionOpener;
import io.loam.maintain.MaintenanceStorage;
import io.loam.maintain.Task;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SplitRef;
import io.loam.schema.CollectionSchema;
import io.loam.store.Ulid;
import io.loam.text.DeleteBitmap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.zip.CRC32C;

/** Maintenance of Lance fragments, Tantivy splits and the files beside them. */
public final class NativeMaintenance implements MaintenanceStorage {
  private final CollectionFiles files;
  private final VersionOpener versions;
  private final SplitFiles splitFiles;

  public NativeMaintenance(CollectionFiles files, VersionOpener versions) {
    this.files = files;
    this.versions = versions;
    this.splitFiles = new SplitFiles(files);
  }

  private record MergedSplits(SplitMerge.Merged merged) implements Prepared {}

  /**
   * A fragment that stands for others, on stable storage.
   *
   * @param replaced their ids
   */
  private record CompactedFragments(
      Set<Integer> replaced, WrittenFragment fragment, FragmentRef ref) implements Prepared {}

  @Override
  public Map<Integer, Integer> liveRows(Manifest manifest, CollectionSchema schema) {
    return with(
        manifest,
        schema,
        version -> LiveRows.count(version.leaves(), manifest.fragments(), version.fragments()));
  }

  @Override
  public Prepared prepare(
      Manifest base,
      CollectionSchema schema,
      Task task,
      IntSupplier fragmentIds,
      Runnable checkpoint) {
    return with(
        base,
        schema,
        version -> {
          if (task instanceof Task.MergeSplits merge) {
            Set<String> inputs = new HashSet<>(merge.splits());
            return new MergedSplits(new SplitMerge(splitFiles, version, checkpoint).merge(inputs));
          }
          Task.CompactFragments compact = (Task.CompactFragments) task;
          return compact(version, compact.fragments(), fragmentIds.getAsInt());
        });
  }

  @Override
  public Optional<Contents> apply(Manifest parent, CollectionSchema schema, Prepared prepared) {
    return with(
        parent,
        schema,
        version ->
            prepared instanceof MergedSplits splits
                ? replaceSplits(version, splits.merged())
                : replaceFragments(version, (CompactedFragments) prepared));
  }

  @Override
  public int sweep() {
    return SplitFiles.sweep() + files.copies().sweep();
  }

  private <T> T with(Manifest manifest, CollectionSchema schema, Function<OpenVersion, T> use) {
    OpenVersion version = versions.acquire(manifest, schema);
    try {
      return use.apply(version);
    } finally {
      versions.release(version);
    }
  }

  private Optional<Contents> replaceSplits(OpenVersion version, SplitMerge.Merged merged) {
    Manifest parent = version.manifest();
    List<SplitRef> splits = new ArrayList<>(parent.splits());
    splits.removeIf(split -> merged.inputs().contains(split.ulid()));
    if (splits.size() + merged.inputs().size() != parent.splits().size()) {
      return Optional.empty();
    }
    List<String> staged = new ArrayList<>();
    merged
        .split()
        .flatMap(split -> withDeletes(version, split, merged, staged))
        .ifPresent(splits::add);
    splits.sort(Comparator.comparingLong(s -> s.rowIds().get(0).start()));
    return Optional.of(
        new Contents(
            parent.lanceVersion(),
            parent.lanceManifest(),
            splits,
            parent.fragments(),
            parent.tail(),
            parent.liveDocuments(),
            staged));
  }

  /** The split without what was deleted since it was made, or nothing if that is all of it. */
  private Optional<SplitRef> withDeletes(
      OpenVersion version, SplitRef split, SplitMerge.Merged merged, List<String> staged) {
    int[] dead = LiveRows.dead(version.leaves(), split.rowIds());
    if (dead.length == 0) {
      return Optional.of(split);
    }
    if (dead.length == split.documentCount()) {
      return Optional.empty();
    }
    DeleteBitmap deletes = DeleteBitmap.NONE.with(dead, merged.tokens());
    byte[] bytes = DeleteBitmapFile.encode(deletes);
    String path = "text/deletes/" + split.ulid() + "/" + Ulid.next() + ".bitmap";
    files.store().stage(files.folder() + path, bytes);
    staged.add(files.folder() + path);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return Optional.of(
        split.withDeletes(
            new FileRef(path, bytes.length, (int) crc.getValue()), deletes.cardinality()));
  }

  private CompactedFragments compact(OpenVersion version, List<Integer> wanted, int id) {
    List<Integer> fragments = inOrderOfRows(version.manifest(), wanted);
    LanceReader reader = version.reader(fragments.get(0));
    for (int fragment : fragments) {
      reader = version.reader(fragment); // the same one, with one more fragment made ready
    }
    try (LanceWorkspace workspace = files.lanceFiles().workspace()) {
      WrittenFragment written =
          files.lance().copy(workspace.uri(), reader, version.schema(), fragments, id);
      List<FileRef> described = written.files().stream().map(workspace::describe).toList();
      workspace.publish(written.files());
      files.store().force(written.files().stream().map(this::inWarehouse).toList());
      FragmentRef ref =
          new FragmentRef(id, written.rows(), written.rowIds(), described, Optional.empty());
      return new CompactedFragments(new HashSet<>(fragments), written, ref);
    }
  }

  /** So that rows that are next to each other in splits are so in the fragment, too. */
  private static List<Integer> inOrderOfRows(Manifest manifest, List<Integer> ids) {
    return manifest.fragments().stream()
        .filter(fragment -> ids.contains(fragment.id()))
        .sorted(Comparator.comparingLong(fragment -> fragment.rowIds().get(0).start()))
        .map(FragmentRef::id)
        .toList();
  }

  private Optional<Contents> replaceFragments(OpenVersion version, CompactedFragments compacted) {
    Manifest parent = version.manifest();
    List<FragmentRef> fragments = new ArrayList<>(parent.fragments());
    fragments.removeIf(fragment -> compacted.replaced().contains(fragment.id()));
    if (fragments.size() + compacted.replaced().size() != parent.fragments().size()) {
      return Optional.empty();
    }
    List<RowIdRange> rowIds = compacted.ref().rowIds();
    int[] dead = LiveRows.dead(version.leaves(), rowIds);
    List<String> staged = new ArrayList<>();
    try (LanceWorkspace workspace = files.lanceFiles().workspace()) {
      workspace.bring(List.of(parent.lanceManifest()));
      CommittedVersion committed =
          files
              .lance()
              .rewrite(
                  workspace.uri(),
                  parent.lanceVersion(),
                  compacted.replaced(),
                  compacted.fragment(),
                  dead);
      List<String> written = new ArrayList<>(committed.deletionFiles().values());
      written.add(committed.manifestFile());
      Optional<FileRef> deletion =
          Optional.ofNullable(committed.deletionFiles().get(compacted.ref().id()))
              .map(workspace::describe);
      FileRef manifest = workspace.describe(committed.manifestFile());
      workspace.publish(written);
      written.forEach(path -> staged.add(inWarehouse(path)));
      if (committed.removedFragments().isEmpty()) {
        fragments.add(
            new FragmentRef(
                compacted.ref().id(),
                compacted.ref().physicalRows(),
                rowIds,
                compacted.ref().files(),
                deletion));
      }
      fragments.sort(Comparator.comparingInt(FragmentRef::id));
      return Optional.of(
          new Contents(
              committed.version(),
              manifest,
              parent.splits(),
              fragments,
              parent.tail(),
              parent.liveDocuments(),
              staged));
    }
  }

  private String inWarehouse(String datasetPath) {
    return files.folder() + LanceFiles.FOLDER + datasetPath;
  }
}
