package io.loam.write;

import io.loam.leaf.Leaf;
import io.loam.leaf.LeafData;
import io.loam.leaf.OpenVersion;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.SplitRef;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import io.loam.sparse.SparseIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes one split of the live documents of others, in order of row id. Typed values, tokens and
 * sparse vectors are the inputs' own: nothing is derived anew, so scores stay as they are.
 */
final class SplitMerge {
  private static final int CHECKPOINT_DOCUMENTS = 1_000;

  private final SplitFiles splitFiles;
  private final OpenVersion version;
  private final CollectionSchema schema;
  private final Runnable checkpoint;

  SplitMerge(SplitFiles splitFiles, OpenVersion version, Runnable checkpoint) {
    this.splitFiles = splitFiles;
    this.version = version;
    this.schema = version.schema();
    this.checkpoint = checkpoint;
  }

  /** The next live document of an input. */
  private static final class Cursor {
    private final Leaf leaf;
    private final LeafData data;
    private final List<@Nullable SparseVector[]> sparse;
    private int doc;

    Cursor(Leaf leaf, CollectionSchema schema) {
      this.leaf = leaf;
      this.data =
          new LeafData(leaf.documentCount(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
      this.sparse = new ArrayList<>();
      for (Field field : schema.fields()) {
        int number = field.number();
        leaf.tokens(number).ifPresent(tokens -> data.tokens().put(number, tokens));
        if (field.kind() == TypeKind.SPARSEVECTOR) {
          sparse.add(
              leaf.sparse(number)
                  .map(SparseIndex::vectors)
                  .orElseGet(() -> new @Nullable SparseVector[leaf.documentCount()]));
        } else {
          leaf.column(number).ifPresent(column -> data.columns().put(number, column));
        }
      }
      if (schema.hasHiddenKey()) {
        data.columns()
            .put(
                CollectionSchema.HIDDEN_KEY,
                leaf.column(CollectionSchema.HIDDEN_KEY).orElseThrow());
      }
      this.doc = leaf.live().next(0);
    }

    boolean isAtEnd() {
      return doc < 0;
    }

    long rowId() {
      return leaf.rowId(doc);
    }

    void copyTo(LeafData.Builder builder) {
      builder.addCopy(data, doc, sparse.stream().map(vectors -> vectors[doc]).toArray());
      doc = leaf.live().next(doc + 1);
    }
  }

  Replacing.Merge merge(Set<String> inputs) {
    LeafData.Builder builder = LeafData.builder(schema);
    RowIdRanges rowIds = new RowIdRanges();
    int documents = copy(inputs, builder, rowIds);
    if (documents == 0) {
      return new Replacing.Merge(inputs, Optional.empty());
    }
    LeafData data = builder.build();
    checkpoint.run();
    List<RowIdRange> ids = rowIds.toList();
    SplitRef split =
        splitFiles.write(schema, data, new StoredRowVectors(version, ids, checkpoint), ids);
    return new Replacing.Merge(inputs, Optional.of(split));
  }

  private int copy(Set<String> inputs, LeafData.Builder builder, RowIdRanges rowIds) {
    PriorityQueue<Cursor> cursors = new PriorityQueue<>(Comparator.comparingLong(Cursor::rowId));
    for (int i = 0; i < version.manifest().splits().size(); i++) {
      if (inputs.contains(version.manifest().splits().get(i).ulid())) {
        Cursor cursor = new Cursor(version.leaves().get(i), schema);
        if (!cursor.isAtEnd()) {
          cursors.add(cursor);
        }
      }
    }
    int documents = 0;
    while (!cursors.isEmpty()) {
      Cursor next = cursors.remove();
      rowIds.add(next.rowId());
      next.copyTo(builder);
      if (!next.isAtEnd()) {
        cursors.add(next);
      }
      if (++documents % CHECKPOINT_DOCUMENTS == 0) {
        checkpoint.run();
      }
    }
    return documents;
  }
}
