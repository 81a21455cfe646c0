package io.loam.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Takes aggregates out of a plan that have no type but NULL, such as MAX of a bare NULL, of which
 * generated code has none. What is NULL in every row is so in every group.
 */
final class NullAggregates {
  private NullAggregates() {}

  static RelNode ofAggregate(Aggregate aggregate) {
    return aggregate.getAggCallList().stream().anyMatch(NullAggregates::isNull)
        ? without(aggregate)
        : WholeMeans.ofAggregate(aggregate);
  }

  /** Of a subquery that has to give one row, the number of rows counts. */
  private static boolean isNull(AggregateCall call) {
    return isNull(call.getType()) && call.getAggregation().getKind() != SqlKind.SINGLE_VALUE;
  }

  static boolean isNull(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.NULL;
  }

  private static RelNode without(Aggregate aggregate) {
    RexBuilder rexBuilder = aggregate.getCluster().getRexBuilder();
    RelDataType count = rexBuilder.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
    SqlAggFunction counted = SqlStdOperatorTable.COUNT;
    // Counts in their places, since there may be no other.
    List<AggregateCall> calls =
        aggregate.getAggCallList().stream()
            .map(call -> isNull(call) ? OwnAggregates.with(counted, count, call) : call)
            .map(call -> call.withName(null))
            .toList();
    RelNode others =
        WholeMeans.ofAggregate(
            aggregate.copy(
                aggregate.getTraitSet(),
                aggregate.getInput(),
                aggregate.getGroupSet(),
                aggregate.getGroupSets(),
                calls));
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < aggregate.getRowType().getFieldCount(); i++) {
      RelDataType type = aggregate.getRowType().getFieldList().get(i).getType();
      int call = i - aggregate.getGroupCount();
      columns.add(
          call >= 0 && isNull(aggregate.getAggCallList().get(call))
              ? rexBuilder.makeNullLiteral(type)
              : rexBuilder.makeInputRef(others, i));
    }
    return LogicalProject.create(others, List.of(), columns, aggregate.getRowType(), Set.of());
  }
}
