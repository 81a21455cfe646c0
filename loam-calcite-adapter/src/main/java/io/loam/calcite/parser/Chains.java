package io.loam.calcite.parser;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserUtil;

/**
 * Makes expressions of the parser's flat lists of operands and operators. Calcite's own way takes
 * time with the cube of a chain's length, and gives a tree as deep as the chain is long.
 */
public final class Chains {
  private Chains() {}

  /** The expression of a list in the order of the text; ORs and ANDs become balanced trees. */
  public static SqlNode toTree(List<Object> list) {
    return split(list, SqlStdOperatorTable.OR);
  }

  private static SqlNode split(List<Object> list, SqlBinaryOperator operator) {
    List<SqlNode> terms = new ArrayList<>();
    int start = 0;
    int betweens = 0; // whose AND is still to come
    for (int i = 0; i < list.size(); i++) {
      if (!(list.get(i) instanceof SqlParserUtil.ToTreeListItem item)) {
        continue;
      }
      SqlOperator found = item.getOperator();
      if (found instanceof SqlBetweenOperator) {
        betweens++;
      } else if (found.equals(SqlStdOperatorTable.AND) && betweens > 0) {
        betweens--;
      } else if (found.equals(operator)) {
        terms.add(term(list.subList(start, i), operator));
        start = i + 1;
      }
    }
    terms.add(term(list.subList(start, list.size()), operator));
    return balanced(operator, terms);
  }

  private static SqlNode term(List<Object> list, SqlBinaryOperator splitAt) {
    return splitAt.equals(SqlStdOperatorTable.OR)
        ? split(list, SqlStdOperatorTable.AND)
        : SqlParserUtil.toTree(new ArrayList<>(list));
  }

  /** A balanced tree of binary calls. */
  public static SqlNode balanced(SqlOperator operator, List<SqlNode> terms) {
    int size = terms.size();
    if (size == 1) {
      return terms.get(0);
    }
    SqlNode left = balanced(operator, terms.subList(0, size / 2));
    SqlNode right = balanced(operator, terms.subList(size / 2, size));
    return operator.createCall(
        left.getParserPosition().plus(right.getParserPosition()), left, right);
  }
}
