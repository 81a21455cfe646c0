package io.loam.leaf;

import io.loam.manifest.RowIdRange;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.Key;
import io.loam.schema.SourceCodec;
import io.loam.schema.SparseVector;
import io.loam.vector.ExactKernel;
import io.loam.vector.VectorRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows with successive row ids, indexed in memory: a commit's part of the tail, or rows of a
 * transaction that no commit holds yet. Immutable, apart from vectors that it gathers once.
 */
public final class MemoryRows {
  /** A row; {@code values} are in the order of the schema's fields, canonical. */
  public record Row(Key key, @Nullable Object[] values) {}

  private final CollectionSchema schema;
  private final RowIdRange rowIds;
  private final List<@Nullable Row> rows;
  private final LeafData data;
  private final Map<Integer, VectorRun> vectors = new HashMap<>();

  /**
   * @param rows null where there is none any more
   */
  public MemoryRows(CollectionSchema schema, long firstRowId, List<@Nullable Row> rows) {
    this.schema = schema;
    this.rowIds = new RowIdRange(firstRowId, rows.size());
    this.rows = rows;
    LeafData.Builder builder = LeafData.builder(schema);
    for (Row row : rows) {
      if (row == null) {
        builder.addMissing();
      } else {
        builder.add(row.key().value(), row.values());
      }
    }
    this.data = builder.build();
  }

  public int size() {
    return rowIds.count();
  }

  public RowIdRange rowIds() {
    return rowIds;
  }

  /** The indexed content. */
  public LeafData data() {
    return data;
  }

  int schemaVersion() {
    return schema.version();
  }

  int keyField() {
    return schema.keyField();
  }

  /** The rows' vectors of one field. */
  synchronized VectorRun vectors(int fieldNumber) {
    return vectors.computeIfAbsent(fieldNumber, this::gather);
  }

  private VectorRun gather(int fieldNumber) {
    Field field = schema.field(fieldNumber);
    int dimension = field.type().dimension();
    float[] components = new float[rows.size() * dimension];
    long[] nulls = new long[(rows.size() + 63) >>> 6];
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      float[] vector = row == null ? null : (float[]) row.values()[schema.position(fieldNumber)];
      if (vector == null) {
        nulls[i >>> 6] |= 1L << i;
      } else {
        System.arraycopy(vector, 0, components, i * dimension, dimension);
      }
    }
    return new VectorRun(
        0, rows.size(), components, 0, nulls, ExactKernel.squaredNorms(components, dimension));
  }

  String source(long rowId) {
    return SourceCodec.encode(schema, row(rowId).values());
  }

  float @Nullable [] vector(int fieldNumber, long rowId) {
    return (float[]) row(rowId).values()[schema.position(fieldNumber)];
  }

  @Nullable SparseVector sparse(int fieldNumber, long rowId) {
    return (SparseVector) row(rowId).values()[schema.position(fieldNumber)];
  }

  /** A row that is there. */
  public Row row(long rowId) {
    Row row = rows.get((int) (rowId - rowIds.start()));
    if (row == null) {
      throw new IllegalArgumentException("rowId=" + rowId + " is gone");
    }
    return row;
  }
}
