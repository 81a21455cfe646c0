package io.loam.lance;

import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.Key;
import io.loam.schema.SourceCodec;
import io.loam.schema.SparseVector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A document as the Lance dataset holds it. The arrays are not copied and must not be changed.
 *
 * @param key canonical primary-key bytes
 * @param source the JSON body
 * @param vectors values of vector fields: {@code float[]}, {@link SparseVector} or null, in the
 *     order of the fields they were asked or given for
 */
public record LanceRow(byte[] key, String source, @Nullable Object[] vectors) {

  /**
   * A document with all of the schema's vector fields.
   *
   * @param values in the order of the schema's fields, canonical
   */
  public static LanceRow of(CollectionSchema schema, Key key, @Nullable Object[] values) {
    List<Field> fields = LanceColumns.vectorFields(schema);
    @Nullable Object[] vectors = new @Nullable Object[fields.size()];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = values[schema.position(fields.get(i).number())];
    }
    return new LanceRow(key.bytes(), SourceCodec.encode(schema, values), vectors);
  }

  /** About what the row takes in a file. */
  public long sizeInBytes() {
    long bytes = (long) key.length + source.length();
    for (Object vector : vectors) {
      if (vector instanceof float[] dense) {
        bytes += 4L * dense.length;
      } else if (vector instanceof SparseVector sparse) {
        bytes += 8L * sparse.size();
      }
    }
    return bytes;
  }

  /** All values of a document that was read with all of the schema's vector fields. */
  public @Nullable Object[] values(CollectionSchema schema) {
    @Nullable Object[] values = SourceCodec.decode(schema, source);
    List<Field> fields = LanceColumns.vectorFields(schema);
    for (int i = 0; i < vectors.length; i++) {
      values[schema.position(fields.get(i).number())] = vectors[i];
    }
    return values;
  }
}
