package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.VectorValues;
import io.loam.schema.TypeKind;
import io.loam.schema.UuidText;
import java.util.List;
import java.util.UUID;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.jspecify.annotations.Nullable;

/** Scalar functions beyond Calcite's standard ones. */
public final class LoamFunctions {
  private LoamFunctions() {}

  /** Turns text or an array into a vector; stands for a cast that Calcite cannot compute. */
  static final SqlFunction TO_VECTOR =
      new SqlUserDefinedFunction(
          new SqlIdentifier("TO_VECTOR", SqlParserPos.ZERO),
          SqlKind.OTHER_FUNCTION,
          binding -> VectorSqlType.create(binding.getTypeFactory(), 0, true),
          InferTypes.ANY_NULLABLE,
          OperandTypes.operandMetadata(
              List.of(SqlTypeFamily.ANY),
              factory -> List.of(factory.createSqlType(SqlTypeName.ANY)),
              i -> "value",
              i -> false),
          ScalarFunctionImpl.create(LoamFunctions.class, "toVector"));

  /** Writes a UUID; stands for a cast that Calcite cannot compute. */
  static final SqlFunction UUID_TO_TEXT =
      new SqlUserDefinedFunction(
          new SqlIdentifier("UUID_TO_TEXT", SqlParserPos.ZERO),
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.VARCHAR_NULLABLE,
          InferTypes.ANY_NULLABLE,
          OperandTypes.operandMetadata(
              List.of(SqlTypeFamily.ANY),
              factory -> List.of(factory.createSqlType(SqlTypeName.ANY)),
              i -> "value",
              i -> false),
          ScalarFunctionImpl.create(LoamFunctions.class, "uuidToText"));

  /** Reads a UUID; stands for a cast that Calcite takes too easily. */
  static final SqlFunction TEXT_TO_UUID =
      new SqlUserDefinedFunction(
          new SqlIdentifier("TEXT_TO_UUID", SqlParserPos.ZERO),
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.explicit(SqlTypeName.UUID).andThen(SqlTypeTransforms.TO_NULLABLE),
          InferTypes.ANY_NULLABLE,
          OperandTypes.operandMetadata(
              List.of(SqlTypeFamily.ANY),
              factory -> List.of(factory.createSqlType(SqlTypeName.ANY)),
              i -> "value",
              i -> false),
          ScalarFunctionImpl.create(LoamFunctions.class, "textToUuid"));

  static final SqlOperatorTable TABLE =
      SqlOperatorTables.chain(
          SqlOperatorTables.of(
              TO_VECTOR,
              SqlLibraryOperators.ARRAY_CONTAINS,
              TextFunctions.MATCH,
              TextFunctions.SCORE,
              TextFunctions.HIGHLIGHT),
          SqlOperatorTables.of(DistanceFunctions.all()),
          SqlOperatorTables.of(Statistics.operators()));

  /** Called by generated code. */
  public static @Nullable List<Float> toVector(@Nullable Object value) {
    return value == null ? null : new VectorView(VectorValues.parse(value));
  }

  /** Called by generated code. */
  public static @Nullable String uuidToText(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  /** Called by generated code. */
  public static @Nullable UUID textToUuid(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    try {
      return UuidText.parse(value.toString().trim());
    } catch (IllegalArgumentException e) {
      throw new LoamException(
          ErrorCode.INVALID_TEXT,
          "text is not of the type: value="
              + value
              + ", type=UUID; give "
              + TextCasts.form(TypeKind.UUID),
          e);
    }
  }
}
