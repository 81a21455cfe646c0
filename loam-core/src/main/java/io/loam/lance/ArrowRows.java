package io.loam.lance;

import io.loam.arrow.ArrowAccess;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.jspecify.annotations.Nullable;

/** Rows as an Arrow IPC stream with the columns that the Lance dataset has. */
public final class ArrowRows {
  private ArrowRows() {}

  /**
   * The stream's bytes.
   *
   * @param rows with all of the schema's vector fields, at least one
   */
  public static byte[] encode(CollectionSchema schema, List<LanceRow> rows) {
    ArrowAccess.open();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (RootAllocator allocator = new RootAllocator();
        RowBatchReader batches = new RowBatchReader(allocator, schema, rows.iterator());
        ArrowStreamWriter writer =
            new ArrowStreamWriter(batches.getVectorSchemaRoot(), null, out)) {
      while (batches.loadNextBatch()) {
        writer.writeBatch();
      }
      writer.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return out.toByteArray();
  }

  /**
   * The rows of a stream that was written with this schema or another of the same collection;
   * fields that it does not hold are null. Fails with {@code CORRUPT_OBJECT}, naming {@code path}.
   */
  public static List<LanceRow> decode(CollectionSchema schema, byte[] stream, String path) {
    ArrowAccess.open();
    List<LanceRow> rows = new ArrayList<>();
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
      while (reader.loadNextBatch()) {
        addRows(schema, reader.getVectorSchemaRoot(), rows);
      }
    } catch (IOException | ClassCastException | NullPointerException e) {
      throw new LoamException(
          ErrorCode.CORRUPT_OBJECT,
          "rows cannot be read: path=" + path + "; restore it from a copy",
          e);
    }
    return rows;
  }

  private static void addRows(CollectionSchema schema, VectorSchemaRoot root, List<LanceRow> rows) {
    List<Field> fields = LanceColumns.vectorFields(schema);
    VarBinaryVector keys = (VarBinaryVector) root.getVector(LanceColumns.KEY);
    VarCharVector sources = (VarCharVector) root.getVector(LanceColumns.SOURCE);
    for (int row = 0; row < root.getRowCount(); row++) {
      @Nullable Object[] vectors = new @Nullable Object[fields.size()];
      for (int i = 0; i < vectors.length; i++) {
        vectors[i] = value(root, fields.get(i), row);
      }
      rows.add(new LanceRow(keys.get(row), sources.getObject(row).toString(), vectors));
    }
  }

  private static @Nullable Object value(VectorSchemaRoot root, Field field, int row) {
    FieldVector column = root.getVector(LanceColumns.name(field));
    if (column == null) {
      return null;
    }
    return field.kind() == TypeKind.VECTOR
        ? ArrowValues.dense((FixedSizeListVector) column, row)
        : ArrowValues.sparse((StructVector) column, row);
  }
}
