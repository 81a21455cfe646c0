package io.loam.jdbc;

import io.loam.schema.FieldType;
import io.loam.schema.Key;
import io.loam.schema.Limits;
import io.loam.schema.TypeKind;
import java.sql.Types;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What JDBC's metadata says of a type of Loam.
 *
 * @param jdbcType of {@link Types}
 * @param size digits, characters or components, the most there can be
 * @param scale digits after the point, or null where the type has no such thing
 * @param literalQuote what stands around literals, or null
 * @param parameters what stands in brackets behind the name, or null
 */
public record SqlType(
    String name,
    int jdbcType,
    int size,
    @Nullable Integer scale,
    @Nullable String literalQuote,
    @Nullable String parameters) {

  private static final int MAX_DECIMAL_DIGITS = 38;

  private static final SqlType SMALLINT = number("SMALLINT", Types.SMALLINT, 5, 0);
  private static final SqlType TINYINT = number("TINYINT", Types.TINYINT, 3, 0);

  /** All types, each with its largest size. */
  static Stream<SqlType> all() {
    return Stream.concat(
        Stream.of(SMALLINT, TINYINT), Arrays.stream(TypeKind.values()).map(SqlType::of));
  }

  /**
   * The type with a name, with the precision and scale that a plan gives it.
   *
   * @param precision 0 for none
   * @return of the name and JDBC type alone where there are no such columns
   */
  public static SqlType of(String name, int jdbcType, int precision, int scale) {
    SqlType general =
        all()
            .filter(type -> type.name.equals(name))
            .findFirst()
            .orElseGet(() -> new SqlType(name, jdbcType, precision, scale, null, null));
    return precision == 0 || general.parameters == null
        ? general
        : general.sized(precision, general.scale == null ? null : scale);
  }

  /** The type in general, with its largest size. */
  static SqlType of(TypeKind kind) {
    return switch (kind) {
      case BIGINT -> number("BIGINT", Types.BIGINT, 19, 0);
      case INTEGER -> number("INTEGER", Types.INTEGER, 10, 0);
      case REAL -> number("REAL", Types.REAL, 7, null);
      case DOUBLE -> number("DOUBLE", Types.DOUBLE, 15, null);
      case DECIMAL ->
          new SqlType(
              "DECIMAL",
              Types.DECIMAL,
              MAX_DECIMAL_DIGITS,
              MAX_DECIMAL_DIGITS,
              null,
              "precision,scale");
      case BOOLEAN -> new SqlType("BOOLEAN", Types.BOOLEAN, 1, null, null, null);
      case DATE -> quoted("DATE", Types.DATE, "2026-01-31".length(), null);
      case TIMESTAMP ->
          quoted("TIMESTAMP", Types.TIMESTAMP, "2026-01-31 12:00:00.123456".length(), 6);
      case UUID -> quoted("UUID", Types.OTHER, 36, null);
      case VARCHAR ->
          new SqlType("VARCHAR", Types.VARCHAR, Limits.MAX_DOCUMENT_BYTES, null, "'", "length");
      case TEXT -> quoted("TEXT", Types.VARCHAR, Limits.MAX_DOCUMENT_BYTES, null);
      case JSON -> quoted("JSON", Types.VARCHAR, Limits.MAX_DOCUMENT_BYTES, null);
      case VARCHAR_ARRAY ->
          new SqlType("VARCHAR ARRAY", Types.ARRAY, Limits.MAX_DOCUMENT_BYTES, null, null, null);
      case VECTOR ->
          new SqlType("VECTOR", Types.ARRAY, Limits.MAX_DIMENSION, null, "'", "dimension");
      case SPARSEVECTOR -> quoted("SPARSEVECTOR", Types.VARCHAR, Limits.MAX_SPARSE_ENTRIES, null);
    };
  }

  /** The type of a field, with its declared size. */
  static SqlType of(FieldType type, boolean key) {
    SqlType general = of(type.kind());
    return switch (type.kind()) {
      case INTEGER -> integer(type);
      case DECIMAL -> general.sized(type.precision(), type.scale());
      case VECTOR -> general.sized(type.dimension(), null);
      case VARCHAR -> varchar(general, type.precision(), key);
      case BIGINT,
          REAL,
          DOUBLE,
          BOOLEAN,
          DATE,
          TIMESTAMP,
          UUID,
          TEXT,
          JSON,
          VARCHAR_ARRAY,
          SPARSEVECTOR ->
          general;
    };
  }

  private static SqlType integer(FieldType type) {
    if (type.equals(FieldType.SMALLINT)) {
      return SMALLINT;
    }
    return type.equals(FieldType.TINYINT) ? TINYINT : of(TypeKind.INTEGER);
  }

  private static SqlType varchar(SqlType general, int characters, boolean key) {
    int most = characters == 0 ? general.size() : characters;
    return general.sized(key ? Math.min(most, Key.MAX_BYTES) : most, null);
  }

  public boolean isNumber() {
    return switch (jdbcType) {
      case Types.REAL, Types.DOUBLE, Types.DECIMAL -> true;
      default -> isWhole();
    };
  }

  boolean isWhole() {
    return switch (jdbcType) {
      case Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT -> true;
      default -> false;
    };
  }

  boolean isText() {
    return jdbcType == Types.VARCHAR;
  }

  private SqlType sized(int newSize, @Nullable Integer newScale) {
    return new SqlType(name, jdbcType, newSize, newScale, literalQuote, parameters);
  }

  private static SqlType number(String name, int jdbcType, int size, @Nullable Integer scale) {
    return new SqlType(name, jdbcType, size, scale, null, null);
  }

  private static SqlType quoted(String name, int jdbcType, int size, @Nullable Integer scale) {
    return new SqlType(name, jdbcType, size, scale, "'", null);
  }
}
