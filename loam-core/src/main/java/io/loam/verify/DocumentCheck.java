package io.loam.verify;

import io.loam.column.Column;
import io.loam.lance.LanceFragment;
import io.loam.lance.LanceReader;
import io.loam.lance.LanceRow;
import io.loam.lance.LanceSource;
import io.loam.leaf.CollectionFiles;
import io.loam.manifest.FileRef;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
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
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows that Lance has with what the manifest and the leaves say of them. Lance reads
 * files only that were found to be sound, since it may end the process on others.
 */
final class DocumentCheck {
  private final CollectionFiles files;
  private final Manifest manifest;
  private final CollectionSchema schema;
  private final List<CheckedLeaf> leaves;
  private final LeafMap leafMap;
  private final Findings findings;
  private final KeyCheck keys = new KeyCheck();
  private long documents;

  /** The leaf whose columns are decoded: rows of one leaf mostly follow each other. */
  private @Nullable CheckedLeaf decodedLeaf;

  private Map<Integer, Column> decoded = Map.of();

  /**
   * @param findings of the objects' lengths and checksums among them
   */
  DocumentCheck(
      CollectionFiles files,
      Manifest manifest,
      CollectionSchema schema,
      List<CheckedLeaf> leaves,
      Findings findings) {
    this.files = files;
    this.manifest = manifest;
    this.schema = schema;
    this.leaves = leaves;
    this.leafMap = new LeafMap(leaves, findings);
    this.findings = findings;
  }

  /** Returns how many documents were compared. */
  long run() {
    String lanceManifest = path(manifest.lanceManifest());
    if (findings.has(lanceManifest)) {
      return 0;
    }
    List<FileRef> sound =
        manifest.fragments().stream()
            .filter(this::isSound)
            .flatMap(f -> f.allFiles().stream())
            .toList();
    try (LanceSource source = files.lanceFiles().source(manifest.lanceManifest(), sound)) {
      findings.reading(lanceManifest, () -> compare(source));
    }
    return documents;
  }

  private Manifest compare(LanceSource source) {
    try (LanceReader reader = files.lance().open(source.address(), manifest.lanceVersion())) {
      checkFragments(reader.fragments());
      eachFragment(source, (lance, fragment) -> new FragmentScan(fragment).run(lance));
      leaves.forEach(leaf -> leaf.findUnseen(findings));
    }
    Set<Long> repeated = keys.repeatedHashes();
    if (!repeated.isEmpty()) {
      eachFragment(
          source,
          (lance, fragment) ->
              lance.scan(
                  fragment.id(),
                  List.of(),
                  (rowId, row) ->
                      keys.compare(row.key(), rowId, repeated, name(fragment), findings)));
    }
    return manifest;
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
              fragment.files().stream().map(DocumentCheck::inDataset).toList(),
              fragment.deletion().map(DocumentCheck::inDataset)));
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
    return file.path().substring(io.loam.lance.LanceFiles.FOLDER.length());
  }

  private void eachFragment(LanceSource source, BiConsumer<LanceReader, FragmentRef> work) {
    for (FragmentRef fragment : manifest.fragments()) {
      if (isSound(fragment)) {
        findings.reading(
            name(fragment),
            () -> {
              source.require(fragment::allFiles);
              try (LanceReader reader =
                  files.lance().open(source.address(), manifest.lanceVersion())) {
                work.accept(reader, fragment);
              }
              return fragment;
            });
      }
      if (!isSound(fragment)) {
        rowIds(fragment).forEach(id -> leafMap.leafOf(id).ifPresent(leaf -> leaf.see(id)));
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
    private final String object;
    private final List<Long> expected;
    private int next;

    FragmentScan(FragmentRef fragment) {
      this.object = name(fragment);
      this.expected = rowIds(fragment);
      this.fragment = fragment.id();
    }

    private final int fragment;

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
      documents++;
      keys.add(row.key());
      Optional<CheckedLeaf> leaf = leafMap.leafOf(rowId);
      if (leaf.isEmpty()) {
        findings.add(object, "row without a document", "rowId=" + rowId);
      } else if (leaf.get().isDeleted(rowId)) {
        findings.add(
            object,
            "row whose document is deleted",
            "rowId=%d, leaf=%s".formatted(rowId, leaf.get().object()));
      } else {
        leaf.get().see(rowId);
        compareValues(leaf.get(), rowId, row);
      }
    }

    /** Rows that Lance left out must be deleted documents, or none. */
    private void passDeleted(int end) {
      for (; next < end; next++) {
        long rowId = expected.get(next);
        leafMap
            .leafOf(rowId)
            .filter(leaf -> leaf.isLive(rowId))
            .ifPresent(
                leaf -> {
                  leaf.see(rowId);
                  findings.add(
                      object,
                      "deleted row whose document is live",
                      "rowId=%d, leaf=%s".formatted(rowId, leaf.object()));
                });
      }
    }
  }

  private void compareValues(CheckedLeaf leaf, long rowId, LanceRow row) {
    Map<Integer, Column> columns = columns(leaf);
    int doc = leaf.doc(rowId);
    compare(leaf, rowId, schema.keyField(), columns, doc, Key.fromBytes(row.key()).value());
    if (columns.size() > 1) {
      @Nullable Object[] values = SourceCodec.decode(schema, row.source());
      for (int i = 0; i < values.length; i++) {
        Field field = schema.fields().get(i);
        if (field.kind().isTyped()) {
          compare(leaf, rowId, field.number(), columns, doc, values[i]);
        }
      }
    }
  }

  private void compare(
      CheckedLeaf leaf,
      long rowId,
      int field,
      Map<Integer, Column> columns,
      int doc,
      @Nullable Object stored) {
    Column column = columns.get(field);
    if (column != null && !Objects.deepEquals(column.value(doc), stored)) {
      findings.add(
          leaf.object(),
          "value that the document does not have",
          "rowId=%d, field=%d, value=%s, document=%s"
              .formatted(rowId, field, column.value(doc), stored));
    }
  }

  private Map<Integer, Column> columns(CheckedLeaf leaf) {
    if (!leaf.equals(decodedLeaf)) {
      decoded = leaf.columns();
      decodedLeaf = leaf;
    }
    return decoded;
  }
}
