package io.loam.calcite;

import io.loam.query.OutputColumn;
import io.loam.schema.Field;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;

/** Calcite's types of columns. */
final class SqlTypes {
  private SqlTypes() {}

  static RelDataType of(RelDataTypeFactory factory, Field field) {
    RelDataType type =
        switch (field.kind()) {
          case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
          case INTEGER -> factory.createSqlType(SqlTypeName.INTEGER);
          case REAL -> factory.createSqlType(SqlTypeName.REAL);
          case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
          case DECIMAL ->
              factory.createSqlType(
                  SqlTypeName.DECIMAL, field.type().precision(), field.type().scale());
          case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
          case DATE -> factory.createSqlType(SqlTypeName.DATE);
          case TIMESTAMP -> factory.createSqlType(SqlTypeName.TIMESTAMP);
          case UUID -> factory.createSqlType(SqlTypeName.UUID);
          case VARCHAR, TEXT, JSON, SPARSEVECTOR -> factory.createSqlType(SqlTypeName.VARCHAR);
          case VARCHAR_ARRAY ->
              factory.createArrayType(factory.createSqlType(SqlTypeName.VARCHAR), -1);
          case VECTOR -> VectorSqlType.create(factory, field.type().dimension(), field.nullable());
        };
    return factory.createTypeWithNullability(type, field.nullable());
  }

  static RelDataType of(RelDataTypeFactory factory, OutputColumn.Kind kind) {
    SqlTypeName name =
        switch (kind) {
          case SCORE, DISTANCE, LEG_SCORE -> SqlTypeName.DOUBLE;
          case RANK, ROW_ID, VERSION -> SqlTypeName.BIGINT;
          case SOURCE -> SqlTypeName.VARCHAR;
          case FIELD -> throw new IllegalArgumentException("a field has its own type");
        };
    return factory.createTypeWithNullability(factory.createSqlType(name), true);
  }
}
