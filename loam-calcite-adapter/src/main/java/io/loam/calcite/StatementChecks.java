package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Refuses what Calcite's grammar takes and its planner fails at, with what is wrong and where. */
final class StatementChecks {
  private StatementChecks() {}

  static void check(SqlCall call) {
    switch (call.getKind()) {
      case LIKE, SIMILAR -> checkEscape(call);
      case VALUES -> checkRows(call);
      case MATCH_RECOGNIZE ->
          throw new LoamException(
              ErrorCode.UNSUPPORTED,
              "MATCH_RECOGNIZE is not supported: " + place(call) + "; use window functions");
      default -> {
        if (call.operandCount() == 0 && call.getOperator().getName().equals("COALESCE")) {
          throw new LoamException(
              ErrorCode.SYNTAX_ERROR,
              "COALESCE has no argument: " + place(call) + "; give one or more");
        }
      }
    }
  }

  private static void checkEscape(SqlCall call) {
    if (call.operandCount() > 2
        && call.operand(2) instanceof SqlCharStringLiteral literal
        && literal.getValueAs(String.class).length() != 1) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "escape of a pattern is not one character: escape="
              + literal.getValueAs(String.class)
              + ", "
              + place(literal)
              + "; give one");
    }
  }

  private static void checkRows(SqlCall values) {
    int first = -1;
    for (int i = 0; i < values.operandCount(); i++) {
      SqlNode row = values.operand(i);
      int size = row.getKind() == SqlKind.ROW ? ((SqlCall) row).operandCount() : 1;
      if (first >= 0 && size != first) {
        throw new LoamException(
            ErrorCode.SYNTAX_ERROR,
            "rows of VALUES have different numbers of values: first="
                + first
                + ", row="
                + (i + 1)
                + ", values="
                + size
                + ", "
                + place(row)
                + "; give all rows as many");
      }
      first = size;
    }
  }

  private static String place(SqlNode node) {
    SqlParserPos pos = node.getParserPosition();
    return "line=" + pos.getLineNum() + ", column=" + pos.getColumnNum();
  }
}
