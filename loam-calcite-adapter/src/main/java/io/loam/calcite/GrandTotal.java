package io.loam.calcite;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Gives the total of no rows, which generated code has only where it is the one group set: a row
 * joined with what the aggregate gives is the total where that is nothing.
 */
final class GrandTotal {
  private final Aggregate aggregate;
  private final RexBuilder rexBuilder;

  private GrandTotal(Aggregate aggregate) {
    this.aggregate = aggregate;
    this.rexBuilder = aggregate.getCluster().getRexBuilder();
  }

  /**
   * @param aggregate that may have a group set without columns among others
   * @param groups a query of the aggregate's rows
   */
  static RelNode of(Aggregate aggregate, RelNode groups) {
    boolean misses =
        aggregate.getGroupSets().size() > 1
            && aggregate.getGroupSets().stream().anyMatch(set -> set.isEmpty())
            && !aggregate.getGroupSet().isEmpty();
    return misses ? new GrandTotal(aggregate).orTotal(groups) : groups;
  }

  private RelNode orTotal(RelNode groups) {
    RelOptCluster cluster = aggregate.getCluster();
    int columns = groups.getRowType().getFieldCount();
    List<RexNode> marked = new ArrayList<>();
    IntStream.range(0, columns).forEach(i -> marked.add(rexBuilder.makeInputRef(groups, i)));
    marked.add(rexBuilder.makeLiteral(true));
    RelNode joined =
        LogicalJoin.create(
            LogicalValues.createOneRow(cluster),
            LogicalProject.create(groups, List.of(), marked, (List<String>) null, Set.of()),
            List.of(),
            rexBuilder.makeLiteral(true),
            Set.of(),
            JoinRelType.LEFT);
    RexNode isTotal =
        rexBuilder.makeCall(
            SqlStdOperatorTable.IS_NULL, rexBuilder.makeInputRef(joined, columns + 1));
    List<RexNode> values = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      RelDataType type = aggregate.getRowType().getFieldList().get(i).getType();
      values.add(
          rexBuilder.makeCall(
              type,
              SqlStdOperatorTable.CASE,
              List.of(
                  isTotal,
                  ofNothing(i, type),
                  rexBuilder.ensureType(type, rexBuilder.makeInputRef(joined, i + 1), true))));
    }
    return LogicalProject.create(joined, List.of(), values, aggregate.getRowType(), Set.of());
  }

  /** The total's value of a column. */
  private RexNode ofNothing(int column, RelDataType type) {
    if (column < aggregate.getGroupCount()) {
      return rexBuilder.makeNullLiteral(type);
    }
    AggregateCall call = aggregate.getAggCallList().get(column - aggregate.getGroupCount());
    return switch (call.getAggregation().getKind()) {
      case COUNT, SUM0, REGR_COUNT, GROUP_ID -> whole(0, type);
      case GROUPING, GROUPING_ID -> whole((1L << call.getArgList().size()) - 1, type);
      default -> rexBuilder.makeNullLiteral(type);
    };
  }

  private RexNode whole(long number, RelDataType type) {
    return rexBuilder.makeLiteral(BigDecimal.valueOf(number), type, true);
  }
}
