package io.loam.write;

import io.loam.commit.CommitStorage.Contents;
import io.loam.leaf.Leaf;
import io.loam.leaf.LeafData;
import io.loam.leaf.OpenVersion;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.SplitRef;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.SourceCodec;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes each split of a version anew from the bodies of its live documents. The tail is indexed
 * whenever it is read.
 */
final class Reindex {
  private static final int BATCH = 1_024;

  private final OpenVersion version;
  private final CollectionSchema schema;
  private final SplitFiles splitFiles;

  Reindex(OpenVersion version, SplitFiles splitFiles) {
    this.version = version;
    this.schema = version.schema();
    this.splitFiles = splitFiles;
  }

  Contents run() {
    Manifest parent = version.manifest();
    List<SplitRef> splits = new ArrayList<>();
    for (int i = 0; i < parent.splits().size(); i++) {
      split(version.leaves().get(i)).ifPresent(splits::add);
    }
    return new Contents(
        parent.lanceVersion(),
        parent.lanceManifest(),
        splits,
        parent.fragments(),
        parent.tail(),
        parent.liveDocuments(),
        List.of());
  }

  /** The new split, or nothing where no document is left. */
  private Optional<SplitRef> split(Leaf leaf) {
    LeafData.Builder builder = LeafData.builder(schema);
    RowIdRanges rowIds = new RowIdRanges();
    List<Integer> docs = new ArrayList<>();
    boolean any = false;
    for (int doc = 0; doc < leaf.documentCount(); doc++) {
      if (leaf.live().contains(doc)) {
        docs.add(doc);
        any = true;
      }
      if (docs.size() == BATCH || doc == leaf.documentCount() - 1) {
        add(leaf, docs, builder, rowIds);
        docs.clear();
      }
    }
    if (!any) {
      return Optional.empty();
    }
    List<RowIdRange> ids = rowIds.toList();
    StoredRowVectors vectors = new StoredRowVectors(version, ids, () -> {});
    return Optional.of(splitFiles.write(schema, builder.build(), vectors, ids));
  }

  private void add(Leaf leaf, List<Integer> docs, LeafData.Builder builder, RowIdRanges rowIds) {
    long[] ids = docs.stream().mapToLong(leaf::rowId).toArray();
    @Nullable Object[][] rows = rows(ids);
    for (int i = 0; i < ids.length; i++) {
      Object key = leaf.column(schema.keyField()).orElseThrow().value(docs.get(i));
      builder.add(key, rows[i]);
      rowIds.add(ids[i]);
    }
  }

  /** Values by field, without dense vectors, which are read apart. */
  private @Nullable Object[][] rows(long[] ids) {
    String[] bodies = version.sources(ids);
    @Nullable Object[][] rows = new @Nullable Object[ids.length][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = SourceCodec.decode(schema, bodies[i]);
    }
    for (Field field : schema.fields()) {
      if (field.kind() == TypeKind.SPARSEVECTOR) {
        @Nullable SparseVector[] values = version.sparse(field.number(), ids);
        for (int i = 0; i < rows.length; i++) {
          rows[i][schema.position(field.number())] = values[i];
        }
      }
    }
    return rows;
  }
}
