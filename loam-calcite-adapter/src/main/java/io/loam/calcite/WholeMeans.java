package io.loam.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** Makes the mean of BIGINTs of a sum that has all their digits and need not fit BIGINT itself. */
final class WholeMeans {
  private final Aggregate aggregate;
  private final RexBuilder rexBuilder;

  private WholeMeans(Aggregate aggregate) {
    this.aggregate = aggregate;
    this.rexBuilder = aggregate.getCluster().getRexBuilder();
  }

  static RelNode ofAggregate(Aggregate aggregate) {
    WholeMeans means = new WholeMeans(aggregate);
    return aggregate.getAggCallList().stream().anyMatch(means::isMean)
        ? means.divided()
        : aggregate;
  }

  private boolean isMean(AggregateCall call) {
    return call.getAggregation().getKind() == SqlKind.AVG
        && aggregate
                .getInput()
                .getRowType()
                .getFieldList()
                .get(call.getArgList().get(0))
                .getType()
                .getSqlTypeName()
            == SqlTypeName.BIGINT;
  }

  /** The aggregate with a sum and a count for each mean, and a projection that divides them. */
  private RelNode divided() {
    RelDataType count = rexBuilder.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
    List<AggregateCall> calls = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      places.add(aggregate.getGroupCount() + calls.size());
      if (isMean(call)) {
        RelDataType sum = wide(call.getType(), rexBuilder);
        calls.add(OwnAggregates.with(OwnAggregates.wideSum(sum), sum, call));
        calls.add(OwnAggregates.with(SqlStdOperatorTable.COUNT, count, call));
      } else {
        calls.add(call);
      }
    }
    // Without names, which must differ.
    List<AggregateCall> unnamed = calls.stream().map(call -> call.withName(null)).toList();
    RelNode sums =
        aggregate.copy(
            aggregate.getTraitSet(),
            aggregate.getInput(),
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            unnamed);
    return LogicalProject.create(
        sums, List.of(), columns(sums, places), aggregate.getRowType(), Set.of());
  }

  private List<RexNode> columns(RelNode sums, List<Integer> places) {
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < aggregate.getGroupCount(); i++) {
      columns.add(rexBuilder.makeInputRef(sums, i));
    }
    for (int i = 0; i < places.size(); i++) {
      AggregateCall call = aggregate.getAggCallList().get(i);
      RexNode value = rexBuilder.makeInputRef(sums, places.get(i));
      columns.add(
          isMean(call)
              ? rexBuilder.makeCall(
                  call.getType(),
                  SqlStdOperatorTable.DIVIDE,
                  List.of(
                      rexBuilder.makeAbstractCast(call.getType(), value, false),
                      rexBuilder.makeInputRef(sums, places.get(i) + 1)))
              : value);
    }
    return columns;
  }

  /**
   * Likewise the sum of a window that is only made to be a DOUBLE, as Calcite does for its mean.
   * Other calls stay as they are.
   */
  static RexCall ofWindow(RexCall call, RexBuilder rexBuilder) {
    if (call.getKind() != SqlKind.CAST || call.getType().getSqlTypeName() != SqlTypeName.DOUBLE) {
      return call;
    }
    RexNode sum = wide(call.getOperands().get(0), rexBuilder);
    return sum.equals(call.getOperands().get(0)) ? call : call.clone(call.getType(), List.of(sum));
  }

  /** A sum over a window, which may stand in a CASE that is NULL for a window without rows. */
  private static RexNode wide(RexNode node, RexBuilder rexBuilder) {
    if (node.getType().getSqlTypeName() != SqlTypeName.BIGINT) {
      return node;
    }
    RelDataType type = wide(node.getType(), rexBuilder);
    if (node instanceof RexOver over) {
      SqlKind kind = over.getAggOperator().getKind();
      return kind == SqlKind.SUM || kind == SqlKind.SUM0
          ? OwnAggregates.over(over, OwnAggregates.wideSum(type), type, rexBuilder)
          : node;
    }
    if (node.getKind() != SqlKind.CASE) {
      return node;
    }
    List<RexNode> operands = new ArrayList<>(((RexCall) node).getOperands());
    RexNode sum = operands.size() == 3 ? wide(operands.get(1), rexBuilder) : node;
    if (operands.size() != 3
        || sum.equals(operands.get(1))
        || !RexLiteral.isNullLiteral(operands.get(2))) {
      return node;
    }
    return rexBuilder.makeCall(
        type,
        SqlStdOperatorTable.CASE,
        List.of(operands.get(0), sum, rexBuilder.makeNullLiteral(type)));
  }

  private static RelDataType wide(RelDataType like, RexBuilder rexBuilder) {
    RelDataTypeFactory types = rexBuilder.getTypeFactory();
    int digits = LoamTypeFactory.TYPE_SYSTEM.getMaxPrecision(SqlTypeName.DECIMAL);
    return types.createTypeWithNullability(
        types.createSqlType(SqlTypeName.DECIMAL, digits, 0), like.isNullable());
  }
}
