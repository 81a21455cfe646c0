package io.loam.calcite;

import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.schema.impl.AggregateFunctionImpl;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlUserDefinedAggFunction;
import org.apache.calcite.util.Optionality;

/** Puts {@link WholeSum} in the place of Calcite's sums of whole numbers, which wrap around. */
final class CheckedSums {
  private static final AggregateFunctionImpl FUNCTION =
      Objects.requireNonNull(AggregateFunctionImpl.create(WholeSum.class));

  private CheckedSums() {}

  /** An aggregate as it runs; the optimiser knows rules for SUM, so it must not see this one. */
  static RelNode ofAggregate(Aggregate aggregate) {
    List<AggregateCall> calls =
        aggregate.getAggCallList().stream().map(CheckedSums::ofCall).toList();
    return calls.equals(aggregate.getAggCallList())
        ? aggregate
        : aggregate.copy(
            aggregate.getTraitSet(),
            aggregate.getInput(),
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            calls);
  }

  private static AggregateCall ofCall(AggregateCall call) {
    return isWholeSum(call.getAggregation(), call.getType())
        ? AggregateCall.create(
            call.getParserPosition(),
            function(call.getType()),
            call.isDistinct(),
            call.isApproximate(),
            call.ignoreNulls(),
            call.rexList,
            call.getArgList(),
            call.filterArg,
            call.distinctKeys,
            call.collation,
            call.getType(),
            call.getName())
        : call;
  }

  /** A query's sums over windows, before it is planned: plans keep them where none can reach. */
  static RelNode ofWindows(RelNode query) {
    return query.accept(new Windows(query.getCluster().getRexBuilder()));
  }

  private static boolean isWholeSum(SqlAggFunction function, RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.BIGINT
        && (function.getKind() == SqlKind.SUM || function.getKind() == SqlKind.SUM0);
  }

  private static SqlAggFunction function(RelDataType type) {
    return new SqlUserDefinedAggFunction(
        new SqlIdentifier("WHOLE_SUM", SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(type),
        InferTypes.ANY_NULLABLE,
        OperandTypes.operandMetadata(List.of(), types -> List.of(), i -> "value", i -> false),
        FUNCTION,
        false,
        false,
        Optionality.FORBIDDEN);
  }

  private static final class Windows extends RelHomogeneousShuttle {
    private final RexShuttle sums;

    Windows(RexBuilder rexBuilder) {
      sums =
          new RexShuttle() {
            @Override
            public RexNode visitSubQuery(RexSubQuery query) {
              RexSubQuery visited = (RexSubQuery) super.visitSubQuery(query);
              return visited.clone(visited.rel.accept(Windows.this));
            }

            @Override
            public RexNode visitOver(RexOver over) {
              RexNode visited = super.visitOver(over);
              return visited instanceof RexOver sum
                      && isWholeSum(sum.getAggOperator(), sum.getType())
                  ? checked(sum, rexBuilder)
                  : visited;
            }
          };
    }

    @Override
    public RelNode visit(RelNode other) {
      return super.visit(other).accept(sums);
    }

    private static RexNode checked(RexOver sum, RexBuilder rexBuilder) {
      RexWindow window = sum.getWindow();
      return rexBuilder.makeOver(
          sum.getParserPosition(),
          sum.getType(),
          function(sum.getType()),
          sum.getOperands(),
          window.partitionKeys,
          window.orderKeys,
          window.getLowerBound(),
          window.getUpperBound(),
          window.getExclude(),
          window.isRows(),
          true,
          false,
          sum.isDistinct(),
          sum.ignoreNulls());
    }
  }
}
