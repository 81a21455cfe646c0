package io.loam.write;

import io.loam.leaf.Leaf;
import io.loam.leaf.LeafData;
import io.loam.leaf.OpenVersion;
import io.loam.leaf.TailLeaf;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.SplitRef;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns the tail into a split once it has grown past what readers should index in memory. */
final class TailFold {
  private static final int MAX_ROWS = 10_000;
  private static final int MAX_COMMITS = 64;
  private static final long MAX_TEXT_BYTES = 16L << 20;

  private final SplitFiles splitFiles;

  TailFold(SplitFiles splitFiles) {
    this.splitFiles = splitFiles;
  }

  boolean isDue(List<TailRef> tail) {
    return tail.size() > MAX_COMMITS
        || tail.stream().mapToLong(t -> t.rowIds().count()).sum() > MAX_ROWS
        || tail.stream().mapToLong(TailRef::textBytes).sum() > MAX_TEXT_BYTES;
  }

  /**
   * A split of the tail's live rows, copied from what {@code parent} has indexed of them, and of
   * the rows that are being added.
   */
  SplitRef fold(OpenVersion parent, List<TailRef> tail, Optional<NativeStorage.Prepared> added) {
    CollectionSchema schema = parent.schema();
    LeafData.Builder builder = LeafData.builder(schema);
    RowIdRanges rowIds = new RowIdRanges();
    Map<Integer, TailLeaf> leaves = new HashMap<>();
    for (Leaf leaf : parent.leaves()) {
      if (leaf instanceof TailLeaf t) {
        leaves.put(t.ref().fragmentId(), t);
      }
    }
    for (TailRef ref : tail) {
      TailLeaf leaf = leaves.get(ref.fragmentId());
      if (leaf == null) {
        added
            .orElseThrow()
            .rows()
            .forEach(
                row -> {
                  builder.add(row.key().value(), row.values());
                  rowIds.add(row.rowId());
                });
      } else {
        copyLive(parent, leaf, ref, builder, rowIds);
      }
    }
    return splitFiles.write(builder.build(), rowIds.toList(), schema.version());
  }

  private static void copyLive(
      OpenVersion parent,
      TailLeaf leaf,
      TailRef ref,
      LeafData.Builder builder,
      RowIdRanges rowIds) {
    List<Integer> docs = new ArrayList<>();
    for (int doc = 0; doc < leaf.documentCount(); doc++) {
      if (!ref.deleted().contains(doc)) {
        docs.add(doc);
      }
    }
    long[] ids = docs.stream().mapToLong(leaf::rowId).toArray();
    List<@Nullable Object[]> sparse = new ArrayList<>();
    for (Field field : parent.schema().fields()) {
      if (field.kind() == TypeKind.SPARSEVECTOR) {
        sparse.add(parent.sparse(field.number(), ids));
      }
    }
    for (int i = 0; i < ids.length; i++) {
      int row = i;
      builder.addCopy(leaf.data(), docs.get(i), sparse.stream().map(s -> s[row]).toArray());
      rowIds.add(ids[i]);
    }
  }
}
