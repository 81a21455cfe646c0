package io.loam.leaf;

import io.loam.manifest.RowIdRange;
import io.loam.manifest.TailRef;
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
import org.roaringbitmap.RoaringBitmap;

/**
 * Rows that no commit holds yet, with successive row ids, indexed in memory as a fragment of the
 * tail is. Immutable, apart from vectors that it decodes once.
 */
public final class PendingRows {
  /** No fragment has this id. */
  private static final int NO_FRAGMENT = -1;

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
  public PendingRows(CollectionSchema schema, long firstRowId, List<@Nullable Row> rows) {
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

  /** The rows as a leaf, without those of some doc ids. */
  TailLeaf leaf(RoaringBitmap deleted) {
    TailRef ref = new TailRef(NO_FRAGMENT, rowIds, 0, schema.version(), deleted);
    return new TailLeaf(ref, data, schema.keyField());
  }

  boolean contains(long rowId) {
    return rowIds.contains(rowId);
  }

  /** The rows' vectors of one field. */
  synchronized VectorRun vectors(int fieldNumber) {
    return vectors.computeIfAbsent(fieldNumber, this::decode);
  }

  private VectorRun decode(int fieldNumber) {
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

  private Row row(long rowId) {
    Row row = rows.get((int) (rowId - rowIds.start()));
    if (row == null) {
      throw new IllegalArgumentException("rowId=" + rowId + " is gone");
    }
    return row;
  }
}
