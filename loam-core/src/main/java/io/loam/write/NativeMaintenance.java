package io.loam.write;

import io.loam.commit.CommitStorage.Contents;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceReader;
import io.loam.lance.LanceWorkspace;
import io.loam.lance.WrittenFragment;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.TailLeaf;
import io.loam.leaf.VersionOpener;
import io.loam.maintain.MaintenanceStorage;
import io.loam.maintain.Task;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** Maintenance of Lance fragments, Tantivy splits and the files beside them. */
public final class NativeMaintenance implements MaintenanceStorage {
  private final CollectionFiles files;
  private final VersionOpener versions;
  private final SplitFiles splitFiles;
  private final TailFold fold;

  public NativeMaintenance(CollectionFiles files, VersionOpener versions, Executor executor) {
    this.files = files;
    this.versions = versions;
    this.splitFiles = new SplitFiles(files);
    this.fold = new TailFold(new FragmentWriter(files, executor));
  }

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
          if (task instanceof Task.FoldTail tail) {
            return fold(version, new HashSet<>(tail.firstRowIds()), fragmentIds.getAsInt());
          }
          if (task instanceof Task.MergeSplits merge) {
            Set<String> inputs = new HashSet<>(merge.splits());
            return new SplitMerge(splitFiles, version, checkpoint).merge(inputs);
          }
          Task.CompactFragments compact = (Task.CompactFragments) task;
          return compact(version, compact.fragments(), fragmentIds.getAsInt(), checkpoint);
        });
  }

  @Override
  public Optional<Contents> apply(Manifest parent, CollectionSchema schema, Prepared prepared) {
    return with(
        parent, schema, version -> new Replacement(files, version).run((Replacing) prepared));
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

  private Replacing.Fold fold(OpenVersion version, Set<Long> firstRowIds, int fragmentId) {
    List<TailFold.Part> parts = new ArrayList<>();
    List<TailRef> tail = version.manifest().tail();
    int firstLeaf = version.leaves().size() - tail.size();
    for (int i = 0; i < tail.size(); i++) {
      if (firstRowIds.contains(tail.get(i).rowIds().start())) {
        TailLeaf leaf = (TailLeaf) version.leaves().get(firstLeaf + i);
        parts.add(new TailFold.Part(tail.get(i), leaf.rows()));
      }
    }
    FragmentWriter.Written written = fold.fold(version.schema(), fragmentId, parts);
    written.join();
    return new Replacing.Fold(
        parts.stream().map(TailFold.Part::ref).toList(),
        written.split(),
        new Replacing.NewFragment(written.fragment(), written.ref()));
  }

  private Replacing.Compaction compact(
      OpenVersion version, List<Integer> wanted, int id, Runnable checkpoint) {
    List<Integer> fragments = inOrderOfRows(version.manifest(), wanted);
    LanceReader reader = version.reader(fragments.get(0));
    for (int fragment : fragments) {
      reader = version.reader(fragment); // the same one, with one more fragment made ready
    }
    try (LanceWorkspace workspace = files.lanceFiles().workspace()) {
      WrittenFragment written =
          files.lance().copy(workspace.uri(), reader, version.schema(), fragments, id, checkpoint);
      List<FileRef> described = written.files().stream().map(workspace::describe).toList();
      workspace.publish(written.files());
      String folder = files.folder() + LanceFiles.FOLDER;
      files.store().force(written.files().stream().map(path -> folder + path).toList());
      FragmentRef ref =
          new FragmentRef(id, written.rows(), written.rowIds(), described, Optional.empty());
      return new Replacing.Compaction(
          new HashSet<>(fragments), new Replacing.NewFragment(written, ref));
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
}
