package io.loam.maintain;

import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.manifest.VectorIndexRef;
import io.loam.schema.CollectionSchema;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What is due in a version, from its manifest alone and the number of live rows of fragments. */
final class MaintenancePlan {
  /** A split is built in memory. */
  private static final Grouping.Limit SPLIT = new Grouping.Limit(500_000, 128L << 20);

  /** Fragments up to 64 MiB are read from local copies, and all of their bytes are checked. */
  private static final long FRAGMENT_BYTES = 48L << 20;

  private static final long FRAGMENT_ROWS = 500_000;

  /** Rows that no segment covers, for which one is built. */
  private static final long UNCOVERED_ROWS = 20_000;

  /** Components of one field that a fragment's decoded vectors may have. */
  private static final long FRAGMENT_COMPONENTS = 64L << 20;

  private final Manifest manifest;
  private final CollectionSchema schema;
  private final Thoroughness thoroughness;
  private final long endRowId;

  /**
   * @param endRowId inputs with rows from this id on are left alone
   */
  MaintenancePlan(
      Manifest manifest, CollectionSchema schema, Thoroughness thoroughness, long endRowId) {
    this.manifest = manifest;
    this.schema = schema;
    this.thoroughness = thoroughness;
    this.endRowId = endRowId;
  }

  /** Its commits, together, if they are many; a writer folds them when they are too many. */
  List<Due> tail() {
    List<TailRef> tail = manifest.tail().stream().filter(t -> isOld(List.of(t.rowIds()))).toList();
    int rows = tail.stream().mapToInt(TailRef::liveRows).sum();
    long bytes = tail.stream().mapToLong(t -> t.file().size()).sum();
    if (tail.isEmpty()
        || (tail.size() < thoroughness.leastTailCommits()
            && rows < thoroughness.leastTailRows()
            && bytes < thoroughness.leastTailBytes())) {
      return List.of();
    }
    return List.of(
        new Due(
            Part.TAIL,
            new Task.FoldTail(tail.stream().map(t -> t.rowIds().start()).toList()),
            "rows of small commits are held in memory: commits=%d, live=%d, bytes=%d"
                .formatted(tail.size(), rows, bytes)));
  }

  List<Due> splits() {
    List<Grouping.Input<String>> inputs =
        manifest.splits().stream()
            .filter(split -> isOld(split.rowIds()))
            .map(
                split ->
                    new Grouping.Input<>(
                        split.ulid(),
                        split.documentCount(),
                        split.documentCount() - split.deletedCount(),
                        bytes(split)))
            .toList();
    return Grouping.groups(inputs, SPLIT, thoroughness).stream()
        .map(
            group ->
                new Due(Part.SPLITS, new Task.MergeSplits(group.names()), reason(group, "splits")))
        .toList();
  }

  /** Bytes that a merge reads. */
  private static long bytes(SplitRef split) {
    return split.columns().size()
        + Stream.of(split.tokens(), split.sparse())
            .flatMap(files -> files.values().stream())
            .mapToLong(FileRef::size)
            .sum();
  }

  /**
   * @param liveRows by fragment id
   */
  List<Due> fragments(Map<Integer, Integer> liveRows) {
    List<Grouping.Input<Integer>> inputs =
        manifest.fragments().stream()
            .filter(fragment -> isOld(fragment.rowIds()))
            .map(fragment -> input(fragment, liveRows.get(fragment.id())))
            .toList();
    Grouping.Limit limit = new Grouping.Limit(mostRows(), FRAGMENT_BYTES);
    return Grouping.groups(inputs, limit, thoroughness).stream()
        .map(
            group ->
                new Due(
                    Part.FRAGMENTS,
                    new Task.CompactFragments(group.names()),
                    reason(group, "fragments")))
        .toList();
  }

  private static Grouping.Input<Integer> input(FragmentRef fragment, int liveRows) {
    long bytes = fragment.files().stream().mapToLong(FileRef::size).sum();
    return new Grouping.Input<>(fragment.id(), fragment.physicalRows(), liveRows, bytes);
  }

  /** Rows of fragments that indexes do not cover, and small segments. */
  List<Due> indexes(IndexMaintenance storage) {
    if (manifest.indexes().isEmpty()) {
      return List.of();
    }
    List<RowIdRange> rows = new ArrayList<>();
    manifest.fragments().stream()
        .filter(fragment -> isOld(fragment.rowIds()))
        .forEach(fragment -> rows.addAll(fragment.rowIds()));
    List<RowIdRange> inFragments = RowIdRanges.ascending(rows);
    Map<String, Integer> liveRows = storage.liveRows(manifest, schema);
    List<Due> due = new ArrayList<>();
    for (VectorIndexRef index : manifest.indexes()) {
      List<RowIdRange> uncovered = RowIdRanges.difference(inFragments, index.covered());
      if (RowIdRanges.count(uncovered) >= UNCOVERED_ROWS) {
        due.add(
            new Due(
                Part.INDEXES,
                new Task.IndexRows(index.name(), uncovered),
                "rows that no segment covers: index=%s, rows=%d"
                    .formatted(index.name(), RowIdRanges.count(uncovered))));
      }
      due.addAll(segments(index, liveRows, storage.maxSegmentBytes(index)));
    }
    return due;
  }

  private List<Due> segments(VectorIndexRef index, Map<String, Integer> liveRows, long mostBytes) {
    List<Grouping.Input<String>> inputs =
        index.segments().stream()
            .filter(segment -> isOld(segment.rowIds()))
            .map(
                segment ->
                    new Grouping.Input<>(
                        segment.ulid(),
                        segment.vectors(),
                        Math.min(segment.vectors(), liveRows.get(segment.ulid())),
                        segment.file().size()))
            .toList();
    Grouping.Limit limit = new Grouping.Limit(Integer.MAX_VALUE, mostBytes);
    return Grouping.groups(inputs, limit, thoroughness).stream()
        .map(
            group ->
                new Due(
                    Part.INDEXES,
                    new Task.RebuildSegments(index.name(), group.names()),
                    reason(group, "segments of " + index.name())))
        .toList();
  }

  private long mostRows() {
    int dimension =
        schema.fields().stream()
            .filter(f -> f.kind() == TypeKind.VECTOR)
            .mapToInt(f -> f.type().dimension())
            .max()
            .orElse(1);
    return Math.min(FRAGMENT_ROWS, FRAGMENT_COMPONENTS / dimension);
  }

  private boolean isOld(List<RowIdRange> rowIds) {
    return rowIds.stream().allMatch(range -> range.end() <= endRowId);
  }

  private static <T> String reason(Grouping.Group<T> group, String things) {
    String rows = "live=%d, deleted=%d".formatted(group.liveRows(), group.deletedRows());
    return group.inputs().size() == 1
        ? String.format(Locale.ROOT, "many deleted rows in one of the %s: %s", things, rows)
        : String.format(
            Locale.ROOT, "many small %s: count=%d, %s", things, group.inputs().size(), rows);
  }
}
