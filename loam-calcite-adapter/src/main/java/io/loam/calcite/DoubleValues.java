package io.loam.calcite;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Writes the numbers of VALUES as doubles in columns that are ones for another row's sake, as in
 * {@code VALUES (1), (2.5e0)}: Calcite keeps them as they are, and cannot compare them then.
 */
final class DoubleValues {
  private DoubleValues() {}

  /** Changes the call itself, by which Calcite knows its type. */
  static void write(SqlCall values, RelDataType rowType) {
    if (rowType.getFieldList().stream().noneMatch(field -> isDouble(field.getType()))) {
      return;
    }
    for (int i = 0; i < values.operandCount(); i++) {
      SqlNode row = values.operand(i);
      if (row.getKind() == SqlKind.ROW) {
        writeRow((SqlCall) row, rowType);
      } else {
        writeOperand(values, i);
      }
    }
  }

  private static void writeRow(SqlCall row, RelDataType rowType) {
    for (int i = 0; i < row.operandCount(); i++) {
      if (isDouble(rowType.getFieldList().get(i).getType())) {
        writeOperand(row, i);
      }
    }
  }

  private static void writeOperand(SqlCall call, int place) {
    SqlNode value = call.operand(place);
    if (value instanceof SqlNumericLiteral number && number.getTypeName() == SqlTypeName.DECIMAL) {
      call.setOperand(
          place,
          SqlLiteral.createApproxNumeric(
              number.bigDecimalValue().toString(), value.getParserPosition()));
    } else if (value.getKind() == SqlKind.MINUS_PREFIX) {
      writeOperand((SqlCall) value, 0);
    }
  }

  private static boolean isDouble(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DOUBLE;
  }
}
