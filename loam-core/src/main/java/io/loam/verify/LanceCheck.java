package io.loam.verify;

import io.loam.column.Column;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceFragment;
import io.loam.lance.LanceReader;
import io.loam.lance.LanceRow;
import io.loam.lance.LanceSource;
import io.loam.lance.RowStretch;
import io.loam.leaf.CollectionFiles;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.Key;
import io.loam.schema.SourceCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows that Lance has with what the manifest and the splits say of them. Lance reads
 * files only that were found to be sound, since it may end the process on others.
 */
final class LanceCheck {
  private final CollectionFiles files;
  private final Manifest manifest;
  private final CollectionSchema schema;
  private final RowOwners owners;
  private final Findings findings;

  /** The split whose columns are decoded: rows of one split mostly follow each other. */
  private @Nullable CheckedSplit decodedSplit;

  private Map<Integer, Column> decoded = Map.of();

  /**
   * @param findings of the objects' lengths and checksums among them
   */
  LanceCheck(
      CollectionFiles files,
      Manifest manifest,
      CollectionSchema schema,
      RowOwners owners,
      Findings findings) {
    this.files = files;
    this.manifest = manifest;
    this.schema = schema;
    this.owners = owners;
    this.findings = findings;
  }

  /** Compares all rows, visits the keys of live ones, and finds documents that have none. */
  void compare(List<CheckedSplit> splits, KeyVisitor keys) {
    reading(
        source -> {
          try (LanceReader reader = open(source)) {
            checkFragments(reader.fragments());
          }
          eachFragment(source, (lance, fragment) -> new FragmentScan(fragment, keys).run(lance));
          splits.forEach(split -> split.findUnseen(findings));
        });
  }

  /** Visits the keys of all live rows. */
  void eachLive(KeyVisitor keys) {
    reading(
        source ->
            eachFragment(
                source,
                (lance, fragment) ->
                    lance.scan(
                        fragment.id(),
                        List.of(),
                        (rowId, row) -> keys.visit(name(fragment), rowId, row.key()))));
  }

  /** Shows segments of a vector field the vectors of all live rows of fragments that they cover. */
  void compareVectors(int fieldNumber, List<CheckedSegment> segments) {
    reading(
        source ->
            eachFragment(
                source,
                (lance, fragment) -> {
                  List<RowIdRange> rows = RowIdRanges.ascending(fragment.rowIds());
                  List<CheckedSegment> covering =
                      segments.stream().filter(segment -> segment.overlaps(rows)).toList();
                  if (!covering.isEmpty()) {
                    lance.scanVectors(
                        fragment.id(),
                        fieldNumber,
                        RowStretch.of(fragment, rows),
                        (rowId, data, at) -> covering.forEach(s -> s.see(rowId, data, at)),
                        () -> {});
                  }
                }));
  }

  private void reading(Consumer<LanceSource> work) {
    String lanceManifest = path(manifest.lanceManifest());
    if (findings.has(lanceManifest)) {
      return;
    }
    List<FileRef> sound =
        manifest.fragments().stream()
            .filter(this::isSound)
            .flatMap(f -> f.allFiles().stream())
            .toList();
    findings.reading(
        lanceManifest,
        () -> {
          try (LanceSource source = files.lanceFiles().source(manifest.lanceManifest(), sound)) {
            work.accept(source);
          }
          return lanceManifest;
        });
  }

  private LanceReader open(LanceSource source) {
    return files.lance().open(source.address(), manifest.lanceVersion());
  }

  private String path(FileRef file) {
    return files.folder() + file.path();
  }

  private String name(FragmentRef fragment) {
    return path(fragment.files().get(0));
  }

  private boolean isSound(FragmentRef fragment) {
    return fragment.allFiles().stream().noneMatch(file -> findings.has(path(file)));
  }

  /** Lance's manifest must name the very files that ours does. */
  private void checkFragments(List<LanceFragment> found) {
    Set<LanceFragment> expected = new HashSet<>();
    for (FragmentRef fragment : manifest.fragments()) {
      expected.add(
          new LanceFragment(
              fragment.id(),
              fragment.physicalRows(),
              fragment.files().stream().map(LanceCheck::inDataset).toList(),
              fragment.deletion().map(LanceCheck::inDataset)));
    }
    for (LanceFragment fragment : found) {
      if (!expected.remove(fragment)) {
        findings.add(
            path(manifest.lanceManifest()), "other fragments than the manifest", "has=" + fragment);
      }
    }
    for (LanceFragment fragment : expected) {
      findings.add(
          path(manifest.lanceManifest()), "other fragments than the manifest", "lacks=" + fragment);
    }
  }

  private static String inDataset(FileRef file) {
    return file.path().substring(LanceFiles.FOLDER.length());
  }

  private void eachFragment(LanceSource source, BiConsumer<LanceReader, FragmentRef> work) {
    for (FragmentRef fragment : manifest.fragments()) {
      if (isSound(fragment)) {
        findings.reading(
            name(fragment),
            () -> {
              source.require(fragment::allFiles);
              try (LanceReader reader = open(source)) {
                work.accept(reader, fragment);
              }
              return fragment;
            });
      }
      if (!isSound(fragment)) {
        rowIds(fragment).forEach(id -> owners.splitOf(id).ifPresent(split -> split.see(id)));
      }
    }
  }

  private static List<Long> rowIds(FragmentRef fragment) {
    List<Long> ids = new ArrayList<>();
    for (RowIdRange range : fragment.rowIds()) {
      for (long id = range.start(); id < range.end(); id++) {
        ids.add(id);
      }
    }
    return ids;
  }

  /** The live rows of one fragment, in the order of its files. */
  private final class FragmentScan {
    private final int fragment;
    private final String object;
    private final List<Long> expected;
    private final KeyVisitor keys;
    private int next;

    FragmentScan(FragmentRef fragment, KeyVisitor keys) {
      this.fragment = fragment.id();
      this.object = name(fragment);
      this.expected = rowIds(fragment);
      this.keys = keys;
    }

    void run(LanceReader reader) {
      reader.scan(fragment, List.of(), this::live);
      passDeleted(expected.size());
    }

    private void live(long rowId, LanceRow row) {
      int at = next;
      while (at < expected.size() && expected.get(at) != rowId) {
        at++;
      }
      if (at == expected.size()) {
        findings.add(object, "row of an id that the manifest does not give it", "rowId=" + rowId);
        return;
      }
      passDeleted(at);
      next = at + 1;
      keys.visit(object, rowId, row.key());
      Optional<CheckedSplit> split = owners.splitOf(rowId);
      if (split.isEmpty()) {
        findings.add(object, "row without a document", "rowId=" + rowId);
      } else if (split.get().isDeleted(rowId)) {
        findings.add(
            object,
            "row whose document is deleted",
            "rowId=%d, split=%s".formatted(rowId, split.get().object()));
      } else {
        split.get().see(rowId);
        compareValues(split.get(), rowId, row);
      }
    }

    /** Rows that Lance left out must be deleted documents, or none. */
    private void passDeleted(int end) {
      for (; next < end; next++) {
        long rowId = expected.get(next);
        owners
            .splitOf(rowId)
            .filter(split -> split.isLive(rowId))
            .ifPresent(
                split -> {
                  split.see(rowId);
                  findings.add(
                      object,
                      "deleted row whose document is live",
                      "rowId=%d, split=%s".formatted(rowId, split.object()));
                });
      }
    }
  }

  private void compareValues(CheckedSplit split, long rowId, LanceRow row) {
    Map<Integer, Column> columns = columns(split);
    int doc = split.doc(rowId);
    compare(split, rowId, schema.keyField(), columns, doc, Key.fromBytes(row.key()).value());
    if (columns.size() > 1) {
      @Nullable Object[] values = SourceCodec.decode(schema, row.source());
      for (int i = 0; i < values.length; i++) {
        Field field = schema.fields().get(i);
        if (field.kind().isTyped()) {
          compare(split, rowId, field.number(), columns, doc, values[i]);
        }
      }
    }
  }

  private void compare(
      CheckedSplit split,
      long rowId,
      int field,
      Map<Integer, Column> columns,
      int doc,
      @Nullable Object stored) {
    Column column = columns.get(field);
    if (column != null && !Objects.deepEquals(column.value(doc), stored)) {
      findings.add(
          split.object(),
          "value that the document does not have",
          "rowId=%d, field=%d, value=%s, document=%s"
              .formatted(rowId, field, column.value(doc), stored));
    }
  }

  private Map<Integer, Column> columns(CheckedSplit split) {
    if (!split.equals(decodedSplit)) {
      decoded = split.columns();
      decodedSplit = split;
    }
    return decoded;
  }
}
