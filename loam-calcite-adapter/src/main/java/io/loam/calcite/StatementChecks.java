package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Refuses what Calcite's grammar takes and its planner fails at, with what is wrong and where. */
final class StatementChecks {
  private StatementChecks() {}

  static void check(SqlCall call) {
    switch (call.getKind()) {
      case LIKE, SIMILAR -> checkEscape(call);
      case VALUES -> checkRows(call);
      case SET_OPTION ->
          throw new LoamException(
              ErrorCode.UNSUPPORTED,
              "SET is not supported: "
                  + place(call)
                  + "; settings are properties of the connection");
      case WITH -> checkNames((SqlWith) call);
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

  private static void checkNames(SqlWith with) {
    Set<String> names = new HashSet<>();
    for (SqlNode node : with.withList) {
      SqlIdentifier name = ((SqlWithItem) node).name;
      if (!names.add(name.getSimple().toLowerCase(Locale.ROOT))) {
        throw new LoamException(
            ErrorCode.SYNTAX_ERROR,
            "WITH has two queries of one name: name="
                + name.getSimple()
                + ", "
                + place(name)
                + "; give each its own");
      }
    }
  }

  private static String place(SqlNode node) {
    SqlParserPos pos = node.getParserPosition();
    return "line=" + pos.getLineNum() + ", column=" + pos.getColumnNum();
  }
}
