package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.runtime.SqlFunctions;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Refuses texts that a statement takes for values of another type, and that are none. */
final class ComparedTexts {
  private ComparedTexts() {}

  /** Checks a text, or those of a subquery of VALUES, whether rows are there or not. */
  static void check(SqlNode node, RelDataType type) {
    if (node instanceof SqlCharStringLiteral literal) {
      check(literal, type);
    } else if (node instanceof SqlCall call) {
      switch (call.getKind()) {
        case SCALAR_QUERY, VALUES, ROW ->
            call.getOperandList().forEach(operand -> check(operand, type));
        default -> {}
      }
    }
  }

  private static void check(SqlCharStringLiteral literal, RelDataType type) {
    try {
      read(literal.getValueAs(String.class), type);
    } catch (LoamException e) {
      String message = String.valueOf(e.getMessage());
      int mend = message.lastIndexOf("; ");
      SqlParserPos place = literal.getParserPosition();
      throw new LoamException(
          e.code(),
          message.substring(0, mend)
              + ", line="
              + place.getLineNum()
              + ", column="
              + place.getColumnNum()
              + message.substring(mend),
          e);
    }
  }

  private static void read(String text, RelDataType type) {
    switch (type.getSqlTypeName()) {
      case TINYINT -> TextCasts.whole(text, Byte.SIZE);
      case SMALLINT -> TextCasts.whole(text, Short.SIZE);
      case INTEGER -> TextCasts.whole(text, Integer.SIZE);
      case BIGINT -> TextCasts.whole(text, Long.SIZE);
      case DECIMAL -> TextCasts.decimal(text, type.getPrecision(), type.getScale());
      case REAL -> TextCasts.toReal(text);
      case DOUBLE, FLOAT -> TextCasts.toDouble(text);
      case DATE -> TextCasts.date(text);
      case TIMESTAMP -> TimestampFunctions.parse(text);
      case UUID -> LoamFunctions.textToUuid(text);
      case BOOLEAN -> bool(text);
      default -> {}
    }
  }

  private static void bool(String text) {
    try {
      SqlFunctions.toBoolean(text);
    } catch (CalciteException e) {
      throw new LoamException(
          ErrorCode.INVALID_TEXT,
          "text is not a BOOLEAN: value=" + text + "; write true or false",
          e);
    }
  }
}
