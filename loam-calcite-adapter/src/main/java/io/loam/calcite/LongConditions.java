package io.loam.calcite;

import io.loam.calcite.parser.Chains;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Brings long conditions into forms that Calcite plans in little time and stack: an IN of many
 * values becomes an {@link InList}, so do many comparisons of one column in an OR or AND, and
 * chains of ORs or ANDs become balanced trees.
 */
class LongConditions extends SqlShuttle {
  /** Shorter lists are left to Calcite, which may simplify them. */
  static final int MIN_VALUES = 20;

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    return switch (call.getKind()) {
      case OR, AND -> chain(call);
      case IN, NOT_IN -> in(call);
      default -> super.visit(call);
    };
  }

  private @Nullable SqlNode in(SqlCall call) {
    if (call.operand(0).getKind() == SqlKind.ROW && call.operand(1) instanceof SqlNodeList rows) {
      return rows(call, rows);
    }
    if (!(call.operand(1) instanceof SqlNodeList values)
        || values.size() < MIN_VALUES
        || !values.stream().allMatch(LongConditions::isValue)) {
      return super.visit(call);
    }
    SqlNode compared = call.operand(0).accept(this);
    return inList(
        compared == null ? call.operand(0) : compared,
        values,
        call.getKind() == SqlKind.NOT_IN,
        call.getParserPosition());
  }

  /** Calcite finds no types of parameters in rows, but does where columns are compared. */
  private @Nullable SqlNode rows(SqlCall in, SqlNodeList rows) {
    List<SqlNode> columns = ((SqlCall) in.operand(0)).getOperandList();
    boolean comparable =
        rows.stream()
            .allMatch(
                row ->
                    row.getKind() == SqlKind.ROW
                        && ((SqlCall) row).operandCount() == columns.size());
    if (!comparable || !hasParameter(rows)) {
      return super.visit(in);
    }
    List<SqlNode> any = new ArrayList<>();
    for (SqlNode row : rows) {
      List<SqlNode> all = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        SqlNode value = ((SqlCall) row).operand(i);
        all.add(
            SqlStdOperatorTable.EQUALS.createCall(row.getParserPosition(), columns.get(i), value));
      }
      any.add(Chains.balanced(SqlStdOperatorTable.AND, all));
    }
    SqlNode found = Chains.balanced(SqlStdOperatorTable.OR, any);
    SqlNode visited = found.accept(this);
    SqlNode rewritten = visited == null ? found : visited;
    return in.getKind() == SqlKind.NOT_IN
        ? SqlStdOperatorTable.NOT.createCall(in.getParserPosition(), rewritten)
        : rewritten;
  }

  private static boolean hasParameter(SqlNodeList rows) {
    boolean[] found = {false};
    rows.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public @Nullable Void visit(SqlDynamicParam parameter) {
            found[0] = true;
            return null;
          }
        });
    return found[0];
  }

  private static SqlNode inList(
      SqlNode compared, List<SqlNode> values, boolean negated, SqlParserPos pos) {
    List<SqlNode> operands = new ArrayList<>(values.size() + 1);
    operands.add(compared);
    values.forEach(value -> operands.add(signed(value)));
    SqlNode in = InList.OPERATOR.createCall(pos, operands);
    return negated ? SqlStdOperatorTable.NOT.createCall(pos, in) : in;
  }

  private static boolean isValue(SqlNode node) {
    return node instanceof SqlLiteral || node instanceof SqlDynamicParam || isNegative(node);
  }

  private static boolean isNegative(SqlNode node) {
    return node.getKind() == SqlKind.MINUS_PREFIX
        && ((SqlCall) node).operand(0) instanceof SqlNumericLiteral;
  }

  /** A negative number as one literal. */
  private static SqlNode signed(SqlNode value) {
    if (!isNegative(value)) {
      return value;
    }
    SqlNumericLiteral positive = ((SqlCall) value).operand(0);
    SqlParserPos pos = value.getParserPosition();
    String text = "-" + positive.toValue();
    return positive.isExact()
        ? SqlLiteral.createExactNumeric(text, pos)
        : SqlLiteral.createApproxNumeric(text, pos);
  }

  private SqlNode chain(SqlCall call) {
    boolean disjunction = call.getKind() == SqlKind.OR;
    SqlKind comparison = disjunction ? SqlKind.EQUALS : SqlKind.NOT_EQUALS;
    List<SqlNode> terms = terms(call);
    Map<String, List<SqlNode>> values = new HashMap<>();
    for (SqlNode term : terms) {
      comparedColumn(term, comparison)
          .ifPresent(
              column ->
                  values
                      .computeIfAbsent(column, c -> new ArrayList<>())
                      .add(((SqlCall) term).operand(1)));
    }
    List<SqlNode> shorter = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    for (SqlNode term : terms) {
      Optional<String> column = comparedColumn(term, comparison);
      List<SqlNode> list = column.map(values::get).orElse(List.of());
      if (list.size() < MIN_VALUES) {
        SqlNode visited = term.accept(this);
        shorter.add(visited == null ? term : visited);
      } else if (listed.add(column.orElseThrow())) {
        shorter.add(
            inList(((SqlCall) term).operand(0), list, !disjunction, term.getParserPosition()));
      }
    }
    return Chains.balanced(call.getOperator(), shorter);
  }

  /** The column that a term compares with a value in the wanted way. */
  private static Optional<String> comparedColumn(SqlNode term, SqlKind comparison) {
    return term.getKind() == comparison
            && ((SqlCall) term).operand(0) instanceof SqlIdentifier column
            && isValue(((SqlCall) term).operand(1))
        ? Optional.of(column.toString())
        : Optional.empty();
  }

  /** What a chain of one operator combines, from left to right. */
  private static List<SqlNode> terms(SqlCall chain) {
    List<SqlNode> terms = new ArrayList<>();
    Deque<SqlNode> rest = new ArrayDeque<>(List.of(chain));
    while (!rest.isEmpty()) {
      SqlNode node = rest.pop();
      if (node.getKind() == chain.getKind()) {
        List<SqlNode> sides = ((SqlCall) node).getOperandList();
        for (int i = sides.size() - 1; i >= 0; i--) {
          rest.push(sides.get(i));
        }
      } else {
        terms.add(node);
      }
    }
    return terms;
  }
}
