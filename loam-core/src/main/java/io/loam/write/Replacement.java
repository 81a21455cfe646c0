package io.loam.write;

import io.loam.commit.CommitStorage.Contents;
import io.loam.lance.CommittedVersion;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceWorkspace;
import io.loam.leaf.CollectionFiles;
import io.loam.leaf.OpenVersion;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.text.DeleteBitmap;
import io.loam.text.TokenFile;
import io.loam.text.TokenReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Puts what stands for some inputs in their place in one version. Rows that were deleted from the
 * inputs since are deleted from it.
 */
final class Replacement {
  private final CollectionFiles files;
  private final OpenVersion version;
  private final Manifest parent;
  private final List<String> staged = new ArrayList<>();

  Replacement(CollectionFiles files, OpenVersion version) {
    this.files = files;
    this.version = version;
    this.parent = version.manifest();
  }

  /** The next version's contents, or nothing if an input is not there any more. */
  Optional<Contents> run(Replacing replacing) {
    if (replacing instanceof Replacing.Fold fold) {
      return fold(fold);
    }
    if (replacing instanceof Replacing.Merge merge) {
      return merge(merge);
    }
    return compact((Replacing.Compaction) replacing);
  }

  private Optional<Contents> fold(Replacing.Fold fold) {
    Set<Long> inputs =
        fold.inputs().stream().map(t -> t.rowIds().start()).collect(Collectors.toSet());
    List<TailRef> tail = new ArrayList<>(parent.tail());
    tail.removeIf(t -> inputs.contains(t.rowIds().start()));
    if (isInSplits(fold.split())) {
      return Optional.empty(); // a writer folded them
    }
    int[] dead = LiveRows.dead(version.leaves(), fold.split().rowIds());
    if (dead.length == fold.split().documentCount()) {
      return Optional.empty(); // the writer that deleted the last row took them out
    }
    List<SplitRef> splits = new ArrayList<>(parent.splits());
    splits.add(withDeletes(fold.split(), dead));
    try (LanceWorkspace workspace = files.lanceFiles().workspace()) {
      workspace.bring(List.of(parent.lanceManifest()));
      CommittedVersion added =
          files
              .lance()
              .commit(
                  workspace.uri(),
                  parent.lanceVersion(),
                  List.of(fold.fragment().fragment()),
                  Map.of());
      int id = fold.fragment().ref().id();
      CommittedVersion committed =
          dead.length == 0
              ? added
              : files.lance().commit(workspace.uri(), added.version(), List.of(), Map.of(id, dead));
      return Optional.of(
          contents(workspace, committed, splits, parent.fragments(), fold.fragment(), tail));
    }
  }

  private boolean isInSplits(SplitRef folded) {
    return parent.splits().stream()
        .flatMap(split -> split.rowIds().stream())
        .anyMatch(
            range ->
                folded.rowIds().stream()
                    .anyMatch(f -> f.start() < range.end() && range.start() < f.end()));
  }

  private Optional<Contents> merge(Replacing.Merge merge) {
    List<SplitRef> splits = new ArrayList<>(parent.splits());
    splits.removeIf(split -> merge.inputs().contains(split.ulid()));
    if (splits.size() + merge.inputs().size() != parent.splits().size()) {
      return Optional.empty();
    }
    merge
        .split()
        .ifPresent(
            split -> {
              int[] dead = LiveRows.dead(version.leaves(), split.rowIds());
              if (dead.length < split.documentCount()) {
                splits.add(withDeletes(split, dead));
              }
            });
    return Optional.of(
        new Contents(
            parent.lanceVersion(),
            parent.lanceManifest(),
            sorted(splits),
            parent.fragments(),
            parent.tail(),
            parent.liveDocuments(),
            staged));
  }

  private Optional<Contents> compact(Replacing.Compaction compaction) {
    List<FragmentRef> others = new ArrayList<>(parent.fragments());
    others.removeIf(fragment -> compaction.inputs().contains(fragment.id()));
    if (others.size() + compaction.inputs().size() != parent.fragments().size()) {
      return Optional.empty();
    }
    int[] dead = LiveRows.dead(version.leaves(), compaction.fragment().ref().rowIds());
    try (LanceWorkspace workspace = files.lanceFiles().workspace()) {
      workspace.bring(List.of(parent.lanceManifest()));
      CommittedVersion committed =
          files
              .lance()
              .rewrite(
                  workspace.uri(),
                  parent.lanceVersion(),
                  compaction.inputs(),
                  compaction.fragment().fragment(),
                  dead);
      return Optional.of(
          contents(
              workspace, committed, parent.splits(), others, compaction.fragment(), parent.tail()));
    }
  }

  /** A version's contents with a new fragment, whose Lance version's files go to the store. */
  private Contents contents(
      LanceWorkspace workspace,
      CommittedVersion committed,
      List<SplitRef> splits,
      List<FragmentRef> others,
      Replacing.NewFragment added,
      List<TailRef> tail) {
    FragmentRef ref = added.ref();
    Optional<FileRef> deletion =
        Optional.ofNullable(committed.deletionFiles().get(ref.id())).map(workspace::describe);
    FileRef manifest = workspace.describe(committed.manifestFile());
    List<String> written = new ArrayList<>(committed.deletionFiles().values());
    written.add(committed.manifestFile());
    workspace.publish(written);
    written.forEach(path -> staged.add(files.folder() + LanceFiles.FOLDER + path));
    List<FragmentRef> fragments = new ArrayList<>(others);
    if (committed.removedFragments().isEmpty()) {
      fragments.add(
          new FragmentRef(ref.id(), ref.physicalRows(), ref.rowIds(), ref.files(), deletion));
    }
    fragments.sort(Comparator.comparingInt(FragmentRef::id));
    return new Contents(
        committed.version(),
        manifest,
        sorted(splits),
        fragments,
        tail,
        parent.liveDocuments(),
        staged);
  }

  private static List<SplitRef> sorted(List<SplitRef> splits) {
    return splits.stream()
        .sorted(Comparator.comparingLong(s -> s.rowIds().get(0).start()))
        .toList();
  }

  /** A new split without documents that were deleted since it was made. */
  private SplitRef withDeletes(SplitRef split, int[] dead) {
    if (dead.length == 0) {
      return split;
    }
    Map<Integer, TokenReader> tokens = new HashMap<>();
    split
        .tokens()
        .forEach((field, f) -> tokens.put(field, TokenFile.open(files.local(f), f.path())));
    return DeletedDocuments.stage(files, split, DeleteBitmap.NONE.with(dead, tokens), staged);
  }
}
