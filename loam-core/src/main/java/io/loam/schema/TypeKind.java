package io.loam.schema;

/**
 * The types of fields, with the Java class of their values everywhere in core.
 *
 * <ul>
 *   <li>{@code BIGINT} Long, {@code INTEGER} Integer, {@code REAL} Float, {@code DOUBLE} Double,
 *       {@code BOOLEAN} Boolean
 *   <li>{@code DECIMAL} BigDecimal with the declared scale
 *   <li>{@code DATE} LocalDate, {@code TIMESTAMP} LocalDateTime in UTC, truncated to microseconds
 *   <li>{@code UUID} java.util.UUID
 *   <li>{@code VARCHAR}, {@code TEXT}, {@code JSON} String; {@code VARCHAR_ARRAY} {@code
 *       List<String>} without nulls
 *   <li>{@code VECTOR} float[]; {@code SPARSEVECTOR} {@link SparseVector}
 * </ul>
 */
public enum TypeKind {
  BIGINT(true),
  INTEGER(true),
  REAL(true),
  DOUBLE(true),
  DECIMAL(true),
  BOOLEAN(true),
  DATE(true),
  TIMESTAMP(true),
  UUID(true),
  VARCHAR(true),
  VARCHAR_ARRAY(true),
  TEXT(false),
  JSON(false),
  VECTOR(false),
  SPARSEVECTOR(false);

  private final boolean typed;

  TypeKind(boolean typed) {
    this.typed = typed;
  }

  /** Whether values live in column files; the others are read from the Lance dataset, late. */
  public boolean isTyped() {
    return typed;
  }
}
