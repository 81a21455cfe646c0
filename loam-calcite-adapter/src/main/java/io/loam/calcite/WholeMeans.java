package io.loam.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

/**
 * Makes the mean of BIGINTs and decimals of a sum that has all their digits and need not fit their
 * type.
 */
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
    if (call.getAggregation().getKind() != SqlKind.AVG) {
      return false;
    }
    SqlTypeName type = argument(call).getSqlTypeName();
    return type == SqlTypeName.BIGINT || type == SqlTypeName.DECIMAL;
  }

  private RelDataType argument(AggregateCall call) {
    return aggregate.getInput().getRowType().getFieldList().get(call.getArgList().get(0)).getType();
  }

  private AggregateCall sum(AggregateCall mean) {
    RelDataType argument = argument(mean);
    if (argument.getSqlTypeName() == SqlTypeName.DECIMAL) {
      RelDataType sum = decimal(argument.getScale(), mean.getType(), rexBuilder);
      return OwnAggregates.with(SqlStdOperatorTable.SUM, sum, mean);
    }
    RelDataType sum = wide(mean.getType(), rexBuilder);
    return OwnAggregates.with(OwnAggregates.wideSum(sum), sum, mean);
  }

  private RexNode quotient(AggregateCall mean, RelNode sums, int place) {
    RexNode sum = rexBuilder.makeInputRef(sums, place);
    RexNode count = rexBuilder.makeInputRef(sums, place + 1);
    if (argument(mean).getSqlTypeName() == SqlTypeName.DECIMAL) {
      RexNode quotient = NumberExpressions.quotient(sum, count, sum.getType(), rexBuilder);
      return rexBuilder.makeAbstractCast(mean.getType(), quotient, false);
    }
    return rexBuilder.makeCall(
        mean.getType(),
        SqlStdOperatorTable.DIVIDE,
        List.of(rexBuilder.makeAbstractCast(mean.getType(), sum, false), count));
  }

  /** The aggregate with a sum and a count for each mean, and a projection that divides them. */
  private RelNode divided() {
    RelDataType count = rexBuilder.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
    List<AggregateCall> calls = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      places.add(aggregate.getGroupCount() + calls.size());
      if (isMean(call)) {
        calls.add(sum(call));
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
      columns.add(isMean(call) ? quotient(call, sums, places.get(i)) : value);
    }
    return columns;
  }

  /**
   * Likewise the sum of a window that is only made to be a DOUBLE, as Calcite does for its mean.
   * Other calls stay as they are.
   */
  static RexCall ofWindow(RexCall call, RexBuilder rexBuilder) {
    if (call.getKind() != SqlKind.CAST) {
      return call;
    }
    if (call.getType().getSqlTypeName() == SqlTypeName.DECIMAL) {
      return decimalMean(call.getOperands().get(0), rexBuilder)
          .map(mean -> call.clone(call.getType(), List.of(mean)))
          .orElse(call);
    }
    if (call.getType().getSqlTypeName() != SqlTypeName.DOUBLE) {
      return call;
    }
    RexNode sum = wide(call.getOperands().get(0), rexBuilder);
    return sum.equals(call.getOperands().get(0)) ? call : call.clone(call.getType(), List.of(sum));
  }

  /**
   * The quotient of a window's sum and count, neither of which need fit the mean's type, of what
   * Calcite makes of the mean of decimals: casts of the quotient, and of the sum in it.
   */
  private static Optional<RexNode> decimalMean(RexNode node, RexBuilder rexBuilder) {
    RexNode quotient = withoutCast(node);
    if (quotient.getKind() != SqlKind.DIVIDE
        || quotient.getType().getSqlTypeName() != SqlTypeName.DECIMAL
        || !(((RexCall) quotient).getOperands().get(1) instanceof RexOver count)
        || count.getAggOperator().getKind() != SqlKind.COUNT) {
      return Optional.empty();
    }
    RexNode sum = withoutCast(((RexCall) quotient).getOperands().get(0));
    RelDataType type = decimal(sum.getType().getScale(), quotient.getType(), rexBuilder);
    return Optional.of(NumberExpressions.quotient(sum, count, type, rexBuilder));
  }

  private static RexNode withoutCast(RexNode node) {
    return node.getKind() == SqlKind.CAST && node.getType().getSqlTypeName() == SqlTypeName.DECIMAL
        ? ((RexCall) node).getOperands().get(0)
        : node;
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
    return decimal(0, like, rexBuilder);
  }

  private static RelDataType decimal(int scale, RelDataType like, RexBuilder rexBuilder) {
    RelDataTypeFactory types = rexBuilder.getTypeFactory();
    int digits = LoamTypeFactory.TYPE_SYSTEM.getMaxPrecision(SqlTypeName.DECIMAL);
    return types.createTypeWithNullability(
        types.createSqlType(SqlTypeName.DECIMAL, digits, scale), like.isNullable());
  }
}
