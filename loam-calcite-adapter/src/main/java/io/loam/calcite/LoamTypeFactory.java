package io.loam.calcite;

import io.loam.schema.SchemaBuilder;
import java.lang.reflect.Type;
import java.math.RoundingMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Makes types, {@link VectorSqlType} among them, and allows decimals of 38 digits. */
public final class LoamTypeFactory extends JavaTypeFactoryImpl {
  private static final int TIMESTAMP_DIGITS = 6;

  /** What types of Loam can hold. */
  public static final RelDataTypeSystem TYPE_SYSTEM =
      new RelDataTypeSystemImpl() {
        @Override
        public int getMaxPrecision(SqlTypeName typeName) {
          return switch (typeName) {
            case DECIMAL -> SchemaBuilder.MAX_DECIMAL_DIGITS;
            case TIMESTAMP -> TIMESTAMP_DIGITS;
            default -> super.getMaxPrecision(typeName);
          };
        }

        /** As the standard has it. */
        @Override
        public int getDefaultPrecision(SqlTypeName typeName) {
          return typeName == SqlTypeName.TIMESTAMP
              ? TIMESTAMP_DIGITS
              : super.getDefaultPrecision(typeName);
        }

        /** As columns round what is written to them. */
        @Override
        public RoundingMode roundingMode() {
          return RoundingMode.HALF_UP;
        }

        /** Whole numbers add up to BIGINT, and REAL to DOUBLE. */
        @Override
        public RelDataType deriveSumType(RelDataTypeFactory types, RelDataType argument) {
          return switch (argument.getSqlTypeName()) {
            case TINYINT, SMALLINT, INTEGER -> like(types, argument, SqlTypeName.BIGINT);
            case REAL -> like(types, argument, SqlTypeName.DOUBLE);
            default -> super.deriveSumType(types, argument);
          };
        }

        /** The mean of whole numbers need not be one. */
        @Override
        public RelDataType deriveAvgAggType(RelDataTypeFactory types, RelDataType argument) {
          return switch (argument.getSqlTypeName()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, REAL ->
                like(types, argument, SqlTypeName.DOUBLE);
            default -> super.deriveAvgAggType(types, argument);
          };
        }

        private RelDataType like(RelDataTypeFactory types, RelDataType argument, SqlTypeName name) {
          return types.createTypeWithNullability(types.createSqlType(name), argument.isNullable());
        }

        /** Text literals of several lengths stay as they are, without blanks at their end. */
        @Override
        public boolean shouldConvertRaggedUnionTypesToVarying() {
          return true;
        }

        @Override
        public int getMaxScale(SqlTypeName typeName) {
          return typeName == SqlTypeName.DECIMAL
              ? SchemaBuilder.MAX_DECIMAL_DIGITS
              : super.getMaxScale(typeName);
        }
      };

  public LoamTypeFactory() {
    super(TYPE_SYSTEM);
  }

  /** All of Unicode; Calcite's default takes Latin letters only. */
  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_8;
  }

  @Override
  public RelDataType createTypeWithNullability(RelDataType type, boolean nullable) {
    if (type instanceof VectorSqlType vector) {
      return vector.isNullable() == nullable
          ? vector
          : canonize(new VectorSqlType(vector.getComponentType(), nullable, vector.dimension()));
    }
    return super.createTypeWithNullability(type, nullable);
  }

  /** UUIDs too are known to be comparable, as keys of several columns have to be. */
  @Override
  public Type getJavaClass(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.UUID ? UUID.class : super.getJavaClass(type);
  }

  /** Makes fields of outer joins nullable. */
  @Override
  public RelDataType enforceTypeWithNullability(RelDataType type, boolean nullable) {
    return type instanceof VectorSqlType
        ? createTypeWithNullability(type, nullable)
        : super.enforceTypeWithNullability(type, nullable);
  }

  /** Keeps a vector's dimension, which the super method would lose. */
  @Override
  public RelDataType toSql(RelDataType type) {
    return type instanceof VectorSqlType ? type : super.toSql(type);
  }
}
