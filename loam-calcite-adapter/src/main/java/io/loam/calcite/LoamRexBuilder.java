package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlMonotonicBinaryOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Makes casts that generated code cannot compute, or not strictly, calls of functions, and
 * arithmetic with NULL, of which Calcite asks which constant it is, NULL.
 */
final class LoamRexBuilder extends RexBuilder {
  LoamRexBuilder(RelDataTypeFactory types) {
    super(types);
  }

  @Override
  public RexNode makeCall(
      SqlParserPos pos, RelDataType returnType, SqlOperator op, List<RexNode> exprs) {
    boolean isArithmetic =
        op instanceof SqlMonotonicBinaryOperator
            || op.getKind() == SqlKind.MINUS_PREFIX
            || op.getKind() == SqlKind.PLUS_PREFIX;
    return isArithmetic && exprs.stream().anyMatch(RexLiteral::isNullLiteral)
        ? makeNullLiteral(returnType)
        : super.makeCall(pos, returnType, op, exprs);
  }

  /** Whether a type is an array whose items are of no type that a vector has. */
  private static boolean isArrayOfOthers(RelDataType type) {
    RelDataType item = type.getComponentType();
    return item != null
        && (SqlTypeUtil.isCharacter(item) || item.getSqlTypeName() == SqlTypeName.BOOLEAN);
  }

  @Override
  public RexNode makeCast(
      SqlParserPos pos,
      RelDataType type,
      RexNode exp,
      boolean matchNullability,
      boolean safe,
      RexLiteral format) {
    if (type.getSqlTypeName() == SqlTypeName.TIMESTAMP && SqlTypeUtil.isNumeric(exp.getType())) {
      // Calcite takes them for milliseconds.
      throw new LoamException(
          ErrorCode.TYPE_MISMATCH,
          "number is no time: type=TIMESTAMP, given="
              + exp.getType()
              + "; write TIMESTAMP '2026-01-31 12:00:00', or count from a time: + INTERVAL '1'"
              + " DAY");
    }
    if (exp.getType().getSqlTypeName() == SqlTypeName.NULL && !(exp instanceof RexLiteral)) {
      // Such as a bare NULL of a subquery, of which generated code has no cast.
      return makeNullLiteral(type);
    }
    if (exp.getType().getSqlTypeName() == SqlTypeName.UUID && SqlTypeUtil.isCharacter(type)) {
      RelDataType text =
          typeFactory.createTypeWithNullability(
              typeFactory.createSqlType(SqlTypeName.VARCHAR), exp.getType().isNullable());
      return super.makeCast(
          pos,
          type,
          makeCall(text, LoamFunctions.UUID_TO_TEXT, List.of(exp)),
          matchNullability,
          safe,
          format);
    }
    if (type.getSqlTypeName() == SqlTypeName.UUID && SqlTypeUtil.isCharacter(exp.getType())) {
      return makeCall(type, LoamFunctions.TEXT_TO_UUID, List.of(exp));
    }
    if (type.getSqlTypeName() == SqlTypeName.REAL
        && exp instanceof RexLiteral
        && exp.getType().getSqlTypeName() == SqlTypeName.DOUBLE) {
      // Computed, since as a literal it would be infinite where it does not fit.
      return makeAbstractCast(type, exp, safe);
    }
    // Calcite writes VECTOR as REAL ARRAY where it casts by itself.
    RelDataType component = type.getComponentType();
    return component != null
            && component.getSqlTypeName() == SqlTypeName.REAL
            && (SqlTypeUtil.isCharacter(exp.getType()) || isArrayOfOthers(exp.getType()))
        ? makeCall(type, LoamFunctions.TO_VECTOR, List.of(exp))
        : super.makeCast(pos, type, exp, matchNullability, safe, format);
  }
}
