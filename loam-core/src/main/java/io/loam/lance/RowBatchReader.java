package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows as Arrow batches of bounded size, which Lance pulls one by one while it writes. */
final class RowBatchReader extends BatchReader {
  private static final int BATCH_ROWS = 8192;
  private static final long BATCH_BYTES = 16L << 20;

  private final Schema schema;
  private final List<Field> vectorFields;
  private final Iterator<LanceRow> rows;
  private long count;

  RowBatchReader(BufferAllocator allocator, CollectionSchema schema, Iterator<LanceRow> rows) {
    super(allocator);
    this.schema = LanceColumns.arrow(schema);
    this.vectorFields = LanceColumns.vectorFields(schema);
    this.rows = rows;
  }

  /** Rows handed over so far. */
  long count() {
    return count;
  }

  @Override
  boolean load(VectorSchemaRoot root) {
    List<LanceRow> batch = nextBatch();
    if (batch.isEmpty()) {
      return false;
    }
    fill(root, batch);
    count += batch.size();
    return true;
  }

  private List<LanceRow> nextBatch() {
    List<LanceRow> batch = new ArrayList<>();
    long bytes = 0;
    while (batch.size() < BATCH_ROWS && bytes < BATCH_BYTES && rows.hasNext()) {
      LanceRow row = rows.next();
      bytes += bytes(row);
      batch.add(row);
    }
    return batch;
  }

  private static long bytes(LanceRow row) {
    long bytes = (long) row.key().length + row.source().length();
    for (Object vector : row.vectors()) {
      if (vector instanceof float[] dense) {
        bytes += 4L * dense.length;
      } else if (vector instanceof SparseVector sparse) {
        bytes += 8L * sparse.size();
      }
    }
    return bytes;
  }

  private void fill(VectorSchemaRoot root, List<LanceRow> batch) {
    VarBinaryVector keys = (VarBinaryVector) root.getVector(LanceColumns.KEY);
    VarCharVector sources = (VarCharVector) root.getVector(LanceColumns.SOURCE);
    root.getFieldVectors().forEach(v -> v.setInitialCapacity(batch.size()));
    keys.allocateNew();
    sources.allocateNew();
    root.getVector(LanceColumns.PARTITION).allocateNew(); // null for direct writes
    root.getVector(LanceColumns.OFFSET).allocateNew();
    for (int i = 0; i < batch.size(); i++) {
      keys.setSafe(i, batch.get(i).key());
      sources.setSafe(i, batch.get(i).source().getBytes(StandardCharsets.UTF_8));
    }
    for (int f = 0; f < vectorFields.size(); f++) {
      Field field = vectorFields.get(f);
      FieldVector column = root.getVector(LanceColumns.name(field));
      if (field.kind() == TypeKind.VECTOR) {
        fillDense((FixedSizeListVector) column, batch, f, field);
      } else {
        fillSparse((StructVector) column, batch, f);
      }
    }
    root.setRowCount(batch.size());
  }

  private static void fillDense(
      FixedSizeListVector column, List<LanceRow> batch, int position, Field field) {
    int dimension = column.getListSize();
    column.setInitialCapacity(batch.size());
    column.allocateNew();
    Float4Vector items = (Float4Vector) column.getDataVector();
    items.allocateNew(batch.size() * dimension);
    FloatBuffer data = floats(items.getDataBuffer(), batch.size() * dimension);
    for (int i = 0; i < batch.size(); i++) {
      float[] vector = (float[]) batch.get(i).vectors()[position];
      if (vector == null) {
        column.setNull(i);
        continue;
      }
      if (vector.length != dimension) {
        throw new LoamException(
            ErrorCode.TYPE_MISMATCH,
            "wrong dimension: column="
                + field.name()
                + ", expected="
                + dimension
                + ", got="
                + vector.length
                + "; give as many components as the column declares");
      }
      column.setNotNull(i);
      data.put(i * dimension, vector);
    }
    markValid(items, batch.size() * dimension);
    column.setValueCount(batch.size());
  }

  private static void fillSparse(StructVector column, List<LanceRow> batch, int position) {
    ListVector indices = (ListVector) column.getChild(LanceColumns.INDICES);
    ListVector values = (ListVector) column.getChild(LanceColumns.VALUES);
    int entries = 0;
    for (LanceRow row : batch) {
      entries += row.vectors()[position] instanceof SparseVector v ? v.size() : 0;
    }
    column.allocateNew();
    UInt4Vector indexItems = (UInt4Vector) indices.getDataVector();
    Float4Vector valueItems = (Float4Vector) values.getDataVector();
    indexItems.allocateNew(Math.max(1, entries));
    valueItems.allocateNew(Math.max(1, entries));
    FloatBuffer valueData = floats(valueItems.getDataBuffer(), entries);
    int at = 0;
    for (int i = 0; i < batch.size(); i++) {
      if (!(batch.get(i).vectors()[position] instanceof SparseVector vector)) {
        column.setNull(i);
        continue;
      }
      column.setIndexDefined(i);
      indices.startNewValue(i);
      values.startNewValue(i);
      valueData.put(at, vector.values());
      for (int index : vector.indices()) {
        indexItems.set(at++, index);
      }
      indices.endValue(i, vector.size());
      values.endValue(i, vector.size());
    }
    markValid(valueItems, entries);
    indexItems.setValueCount(entries);
    indices.setValueCount(batch.size());
    values.setValueCount(batch.size());
    column.setValueCount(batch.size());
  }

  private static FloatBuffer floats(ArrowBuf buffer, int count) {
    return buffer.nioBuffer(0, count * Float.BYTES).order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  private static void markValid(Float4Vector items, int count) {
    items.setValueCount(count);
    ArrowBuf validity = items.getValidityBuffer();
    validity.setOne(0, (count + 7L) / 8);
  }

  @Override
  protected void closeReadSource() {}

  @Override
  protected Schema readSchema() {
    return schema;
  }
}
