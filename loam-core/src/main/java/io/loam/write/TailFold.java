package io.loam.write;

import io.loam.leaf.LeafData;
import io.loam.leaf.MemoryRows;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.TailRef;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;

/** Turns the tail into a fragment and a split once it has grown past what readers should hold. */
final class TailFold {
  private static final int MAX_ROWS = 10_000;
  private static final int MAX_COMMITS = 64;
  private static final long MAX_BYTES = 32L << 20;

  private final FragmentWriter writer;

  TailFold(FragmentWriter writer) {
    this.writer = writer;
  }

  boolean isDue(List<TailRef> tail) {
    return tail.size() > MAX_COMMITS
        || tail.stream().mapToLong(t -> t.rowIds().count()).sum() > MAX_ROWS
        || tail.stream().mapToLong(t -> t.file().size()).sum() > MAX_BYTES;
  }

  /** A part of the tail with its rows. */
  record Part(TailRef ref, MemoryRows rows) {}

  /**
   * Writes the live rows of the tail, at least one; what is indexed of them is copied.
   *
   * @param parts in order of row id
   */
  FragmentWriter.Written fold(CollectionSchema schema, int fragmentId, List<Part> parts) {
    RowIdRanges rowIds = new RowIdRanges();
    List<MemoryRows.Row> rows = new ArrayList<>();
    LeafData.Builder index = LeafData.builder(schema);
    List<Integer> sparse = sparsePositions(schema);
    for (Part part : parts) {
      for (int doc = 0; doc < part.rows().size(); doc++) {
        if (!part.ref().deleted().contains(doc)) {
          long rowId = part.ref().rowIds().start() + doc;
          MemoryRows.Row row = part.rows().row(rowId);
          rowIds.add(rowId);
          rows.add(row);
          index.addCopy(
              part.rows().data(), doc, sparse.stream().map(p -> row.values()[p]).toArray());
        }
      }
    }
    return writer.write(schema, fragmentId, rowIds.toList(), rows, index::build);
  }

  private static List<Integer> sparsePositions(CollectionSchema schema) {
    return schema.fields().stream()
        .filter(f -> f.kind() == TypeKind.SPARSEVECTOR)
        .map(Field::number)
        .map(schema::position)
        .toList();
  }
}
