package io.loam.calcite;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.ArraySqlType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * {@code VECTOR(n)}: to Calcite an array of REAL that remembers its dimension. Values are lists of
 * floats, in practice {@link VectorView}s.
 */
public final class VectorSqlType extends ArraySqlType {
  private final int dimension;

  VectorSqlType(RelDataType component, boolean nullable, int dimension) {
    super(component, nullable);
    this.dimension = dimension;
    computeDigest();
  }

  /**
   * A vector type of a factory.
   *
   * @param dimension 0 for any
   */
  public static RelDataType create(RelDataTypeFactory factory, int dimension, boolean nullable) {
    RelDataType component =
        factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.REAL), false);
    return factory.createTypeWithNullability(
        new VectorSqlType(component, !nullable, dimension), nullable);
  }

  /** The number of components, 0 for any. */
  public int dimension() {
    return dimension;
  }

  @Override
  public int getPrecision() {
    return dimension > 0 ? dimension : PRECISION_NOT_SPECIFIED;
  }

  @Override
  protected void generateTypeString(StringBuilder sb, boolean withDetail) {
    sb.append("VECTOR");
    if (dimension > 0) {
      sb.append('(').append(dimension).append(')');
    }
  }

  @Override
  public boolean deepEquals(@Nullable Object obj) {
    return super.deepEquals(obj) && ((VectorSqlType) obj).dimension == dimension;
  }

  @Override
  public int deepHashCode() {
    return 31 * super.deepHashCode() + dimension;
  }
}
