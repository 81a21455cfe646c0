package io.loam.schema;

/**
 * A field's type.
 *
 * @param precision digits of a {@code DECIMAL}, dimension of a {@code VECTOR}, else 0
 * @param scale digits after the point of a {@code DECIMAL}, else 0
 */
public record FieldType(TypeKind kind, int precision, int scale) {

  public static FieldType of(TypeKind kind) {
    return new FieldType(kind, 0, 0);
  }

  public static FieldType decimal(int precision, int scale) {
    return new FieldType(TypeKind.DECIMAL, precision, scale);
  }

  public static FieldType vector(int dimension) {
    return new FieldType(TypeKind.VECTOR, dimension, 0);
  }

  /** The number of components of a {@code VECTOR}. */
  public int dimension() {
    return precision;
  }

  /** As in SQL: {@code DECIMAL(12,2)}, {@code VECTOR(384)}, {@code VARCHAR ARRAY}. */
  @Override
  public String toString() {
    return switch (kind) {
      case DECIMAL -> "DECIMAL(" + precision + "," + scale + ")";
      case VECTOR -> "VECTOR(" + precision + ")";
      case VARCHAR_ARRAY -> "VARCHAR ARRAY";
      case BIGINT,
          INTEGER,
          REAL,
          DOUBLE,
          BOOLEAN,
          DATE,
          TIMESTAMP,
          UUID,
          VARCHAR,
          TEXT,
          JSON,
          SPARSEVECTOR ->
          kind.name();
    };
  }
}
