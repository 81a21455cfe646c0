package io.loam.schema;

/**
 * A field's type.
 *
 * @param precision digits of a {@code DECIMAL}, dimension of a {@code VECTOR}, most characters of a
 *     {@code VARCHAR} or 0 for any number, bits of an {@code INTEGER} of less than 32, else 0
 * @param scale digits after the point of a {@code DECIMAL}, else 0
 */
public record FieldType(TypeKind kind, int precision, int scale) {
  private static final int INTEGER_BITS = 32;
  private static final int SMALLINT_BITS = 16;
  private static final int TINYINT_BITS = 8;

  /** Whole numbers of 16 bits, in 32. */
  public static final FieldType SMALLINT = new FieldType(TypeKind.INTEGER, SMALLINT_BITS, 0);

  /** Whole numbers of 8 bits, in 32. */
  public static final FieldType TINYINT = new FieldType(TypeKind.INTEGER, TINYINT_BITS, 0);

  public static FieldType of(TypeKind kind) {
    return new FieldType(kind, 0, 0);
  }

  public static FieldType decimal(int precision, int scale) {
    return new FieldType(TypeKind.DECIMAL, precision, scale);
  }

  public static FieldType vector(int dimension) {
    return new FieldType(TypeKind.VECTOR, dimension, 0);
  }

  /** Text of at most so many characters. */
  public static FieldType varchar(int characters) {
    return new FieldType(TypeKind.VARCHAR, characters, 0);
  }

  /** The least value of an {@code INTEGER} of this type; the greatest is its complement. */
  int leastInteger() {
    return -1 << ((precision == 0 ? INTEGER_BITS : precision) - 1);
  }

  /** The number of components of a {@code VECTOR}. */
  public int dimension() {
    return precision;
  }

  /** As in SQL: {@code DECIMAL(12,2)}, {@code VECTOR(384)}, {@code SMALLINT}. */
  @Override
  public String toString() {
    return switch (kind) {
      case DECIMAL -> "DECIMAL(" + precision + "," + scale + ")";
      case VECTOR -> "VECTOR(" + precision + ")";
      case VARCHAR_ARRAY -> "VARCHAR ARRAY";
      case VARCHAR -> precision == 0 ? "VARCHAR" : "VARCHAR(" + precision + ")";
      case INTEGER -> integerName();
      case BIGINT, REAL, DOUBLE, BOOLEAN, DATE, TIMESTAMP, UUID, TEXT, JSON, SPARSEVECTOR ->
          kind.name();
    };
  }

  private String integerName() {
    if (precision == SMALLINT_BITS) {
      return "SMALLINT";
    }
    return precision == TINYINT_BITS ? "TINYINT" : "INTEGER";
  }
}
