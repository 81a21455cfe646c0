package io.loam.calcite;

import io.loam.schema.Field;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Casts of values to the types of the columns that they are written to. {@link FieldValues} does
 * the same, and knows the column that an error is about.
 */
final class ColumnCasts {
  private ColumnCasts() {}

  /** The value, without a cast that may fail and that {@link FieldValues#cast} does as well. */
  static RexNode without(RexNode value, Field field, RelDataTypeFactory types) {
    if (!isCast(value, field, types)) {
      return value;
    }
    RexNode given = ((RexCall) value).getOperands().get(0);
    // Calcite casts again where only the one may be NULL.
    while (isCast(given, field, types)) {
      given = ((RexCall) given).getOperands().get(0);
    }
    return !isQuotient(given) && isLeftToField(given.getType(), field) ? given : value;
  }

  private static boolean isCast(RexNode value, Field field, RelDataTypeFactory types) {
    if (!(value instanceof RexCall call)) {
      return false;
    }
    SqlOperator operator = call.getOperator();
    return switch (field.kind()) {
      case VECTOR -> operator.equals(LoamFunctions.TO_VECTOR);
      case UUID -> operator.equals(LoamFunctions.TEXT_TO_UUID);
      default ->
          call.getKind() == SqlKind.CAST
              && SqlTypeUtil.equalSansNullability(types, call.getType(), SqlTypes.of(types, field));
    };
  }

  /** A quotient of decimals has more digits in a cast than as a value of its own. */
  private static boolean isQuotient(RexNode given) {
    return given.getType().getSqlTypeName() == SqlTypeName.DECIMAL
        && RexUtil.find(Set.of(SqlKind.DIVIDE, SqlKind.CHECKED_DIVIDE)).anyContain(List.of(given));
  }

  private static boolean isLeftToField(RelDataType given, Field field) {
    boolean text = SqlTypeUtil.isCharacter(given);
    return switch (field.kind()) {
      case BIGINT, INTEGER, REAL -> text || SqlTypeUtil.isNumeric(given);
      // A REAL gets other digits in a column than in a cast.
      case DOUBLE, DECIMAL ->
          text || (SqlTypeUtil.isNumeric(given) && given.getSqlTypeName() != SqlTypeName.REAL);
      case BOOLEAN, DATE, TIMESTAMP, UUID, VECTOR, VARCHAR_ARRAY -> text;
      case VARCHAR, TEXT, JSON, SPARSEVECTOR -> false;
    };
  }
}
