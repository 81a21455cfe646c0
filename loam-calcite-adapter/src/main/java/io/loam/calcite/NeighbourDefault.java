package io.loam.calcite;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Takes the default out of {@code LAG(value, offset, default) OVER …} and LEAD, for which generated
 * code has the value's type, and that it takes for never NULL: a row has no neighbour where not
 * even a number is found there.
 */
final class NeighbourDefault {
  private static final Set<String> NEIGHBOURS = Set.of("LAG", "LEAD");

  private NeighbourDefault() {}

  static SqlCall without(SqlCall over) {
    if (over.getKind() != SqlKind.OVER
        || !(over.operand(0) instanceof SqlCall neighbour)
        || !(neighbour.getOperator() instanceof SqlFunction function)
        || !NEIGHBOURS.contains(function.getName().toUpperCase(Locale.ROOT))
        || neighbour.operandCount() != 3) {
      return over;
    }
    SqlParserPos place = over.getParserPosition();
    SqlNode number = SqlLiteral.createExactNumeric("1", place);
    SqlNode there =
        over(over, neighbour, number, copy(neighbour.operand(1)), copy(over.operand(1)));
    SqlNode found =
        over(over, neighbour, neighbour.operand(0), neighbour.operand(1), over.operand(1));
    return new SqlCase(
        place,
        null,
        SqlNodeList.of(SqlStdOperatorTable.IS_NULL.createCall(place, there)),
        SqlNodeList.of(neighbour.operand(2)),
        found);
  }

  private static SqlNode over(
      SqlCall over, SqlCall neighbour, SqlNode value, SqlNode offset, SqlNode window) {
    SqlNode call =
        neighbour.getOperator().createCall(neighbour.getParserPosition(), List.of(value, offset));
    return over.getOperator().createCall(over.getParserPosition(), call, window);
  }

  private static SqlNode copy(SqlNode node) {
    return node.accept(
        new SqlShuttle() {
          @Override
          public @Nullable SqlNode visit(SqlCall call) {
            CallCopyingArgHandler copied = new CallCopyingArgHandler(call, true);
            call.getOperator().acceptCall(this, call, false, copied);
            return copied.result();
          }

          @Override
          public @Nullable SqlNode visit(SqlIdentifier name) {
            return name.clone(name.getParserPosition());
          }
        });
  }
}
