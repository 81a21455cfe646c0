package io.loam.lance;

import io.loam.schema.CollectionSchema;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Names and Arrow types of a dataset's columns. */
final class LanceColumns {
  static final String KEY = "_key";
  static final String SOURCE = "_source";
  static final String PARTITION = "_partition";
  static final String OFFSET = "_offset";

  /** Columns of every dataset. */
  static final List<String> FIXED = List.of(KEY, SOURCE, PARTITION, OFFSET);

  static final String ROW_ID = "_rowid";
  static final String ROW_ADDRESS = "_rowaddr";
  static final String INDICES = "indices";
  static final String VALUES = "values";

  private static final ArrowType FLOAT32 =
      new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);

  private LanceColumns() {}

  static String vector(int fieldNumber) {
    return "v" + fieldNumber;
  }

  static String sparse(int fieldNumber) {
    return "s" + fieldNumber;
  }

  static String name(io.loam.schema.Field field) {
    return field.kind() == TypeKind.VECTOR ? vector(field.number()) : sparse(field.number());
  }

  /** The fields that are columns of their own, in the order of {@link LanceRow#vectors}. */
  static List<io.loam.schema.Field> vectorFields(CollectionSchema schema) {
    return schema.fields().stream()
        .filter(f -> f.kind() == TypeKind.VECTOR || f.kind() == TypeKind.SPARSEVECTOR)
        .toList();
  }

  /**
   * The columns that files of a schema version are written with. Lance numbers them by their places
   * here; {@link WrittenFragment} gives them the numbers that they have in the dataset.
   */
  static Schema arrow(CollectionSchema schema) {
    List<Field> columns = new ArrayList<>();
    columns.add(column(KEY, false, ArrowType.Binary.INSTANCE));
    columns.add(column(SOURCE, true, ArrowType.Utf8.INSTANCE));
    columns.add(column(PARTITION, true, new ArrowType.Int(32, true)));
    columns.add(column(OFFSET, true, new ArrowType.Int(64, true)));
    for (io.loam.schema.Field field : vectorFields(schema)) {
      String name = name(field);
      columns.add(
          field.kind() == TypeKind.VECTOR
              ? column(
                  name,
                  true,
                  new ArrowType.FixedSizeList(field.type().dimension()),
                  column("item", true, FLOAT32))
              : column(
                  name,
                  true,
                  ArrowType.Struct.INSTANCE,
                  list(INDICES, new ArrowType.Int(32, false)),
                  list(VALUES, FLOAT32)));
    }
    return new Schema(columns);
  }

  static List<String> names(Schema schema) {
    return schema.getFields().stream().map(Field::getName).toList();
  }

  private static Field list(String name, ArrowType item) {
    return column(name, true, ArrowType.List.INSTANCE, column("item", true, item));
  }

  private static Field column(String name, boolean nullable, ArrowType type, Field... children) {
    return new Field(name, new FieldType(nullable, type, null), List.of(children));
  }
}
