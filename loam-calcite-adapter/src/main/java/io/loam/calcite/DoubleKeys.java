package io.loam.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Makes joins, groups and sets take zeros of two signs for equal, which their hashes are not: joins
 * compare doubles by the whole numbers that order as they do, in columns below the join, and what
 * is grouped has positive zeros only. Done before a query is planned.
 */
final class DoubleKeys extends RelHomogeneousShuttle {
  private DoubleKeys() {}

  static RelNode of(RelNode query) {
    return query.accept(new DoubleKeys());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visit(other);
    if (visited instanceof Join join) {
      return ofJoin(join);
    }
    if (visited instanceof Aggregate aggregate) {
      RelNode input = withPositiveZeros(aggregate.getInput(), keys(aggregate));
      return input == aggregate.getInput()
          ? aggregate
          : aggregate.copy(aggregate.getTraitSet(), List.of(input));
    }
    if (visited instanceof SetOp set && !set.all) {
      ImmutableBitSet all = ImmutableBitSet.range(set.getRowType().getFieldCount());
      return set.copy(
          set.getTraitSet(),
          set.getInputs().stream().map(input -> withPositiveZeros(input, all)).toList());
    }
    return visited;
  }

  private static RelNode ofJoin(Join join) {
    RexNode condition =
        join.getCondition().accept(NumberExpressions.ofRows(join.getCluster().getRexBuilder()));
    if (condition.equals(join.getCondition())) {
      return join;
    }
    Join ranked =
        join.copy(
            join.getTraitSet(),
            condition,
            join.getLeft(),
            join.getRight(),
            join.getJoinType(),
            join.isSemiJoinDone());
    return RelOptUtil.pushDownJoinConditions(
        ranked, RelFactories.LOGICAL_BUILDER.create(join.getCluster(), null));
  }

  /** Columns whose values must differ. */
  private static ImmutableBitSet keys(Aggregate aggregate) {
    ImmutableBitSet.Builder keys = aggregate.getGroupSet().rebuild();
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (call.isDistinct()) {
        call.getArgList().forEach(keys::set);
      }
    }
    return keys.build();
  }

  private static RelNode withPositiveZeros(RelNode input, ImmutableBitSet keys) {
    RexBuilder rexBuilder = input.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (RelDataTypeField field : input.getRowType().getFieldList()) {
      RexNode column = rexBuilder.makeInputRef(input, field.getIndex());
      columns.add(
          keys.get(field.getIndex()) ? NumberExpressions.positiveZero(column, rexBuilder) : column);
    }
    return columns.stream().allMatch(RexInputRef.class::isInstance)
        ? input
        : LogicalProject.create(input, List.of(), columns, input.getRowType(), Set.of());
  }
}
