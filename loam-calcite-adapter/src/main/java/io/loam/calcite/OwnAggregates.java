package io.loam.calcite;

import com.google.common.collect.ImmutableList;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowExclusion;
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

/**
 * Puts aggregates of Loam's own in the place of those whose generated code is wrong: sums that wrap
 * around, have too many digits or depend on the order of rows, and MIN and MAX that lose their way
 * at NaN or cannot compare UUIDs.
 */
final class OwnAggregates {
  private static final AggregateFunctionImpl WHOLE_SUM = implementation(WholeSum.class);
  private static final AggregateFunctionImpl WIDE_SUM = implementation(WideSum.class);
  private static final AggregateFunctionImpl DOUBLE_SUM = implementation(DoubleSum.class);
  private static final AggregateFunctionImpl DECIMAL_SUM = implementation(DecimalSum.class);
  private static final AggregateFunctionImpl MIN_DOUBLE = implementation(Extremes.MinDouble.class);
  private static final AggregateFunctionImpl MAX_DOUBLE = implementation(Extremes.MaxDouble.class);
  private static final AggregateFunctionImpl MIN_REAL = implementation(Extremes.MinReal.class);
  private static final AggregateFunctionImpl MAX_REAL = implementation(Extremes.MaxReal.class);
  private static final AggregateFunctionImpl MIN_UUID = implementation(Extremes.MinUuid.class);
  private static final AggregateFunctionImpl MAX_UUID = implementation(Extremes.MaxUuid.class);

  private OwnAggregates() {}

  private static AggregateFunctionImpl implementation(Class<?> type) {
    return Objects.requireNonNull(AggregateFunctionImpl.create(type));
  }

  /** An aggregate as it runs; the optimiser knows rules for SUM, so it must not see this one. */
  static RelNode ofAggregate(Aggregate aggregate) {
    List<AggregateCall> calls =
        aggregate.getAggCallList().stream().map(OwnAggregates::ofCall).toList();
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
    return own(call.getAggregation(), call.getType())
        .map(function -> with(function, call.getType(), call))
        .orElse(call);
  }

  static AggregateCall with(SqlAggFunction function, RelDataType type, AggregateCall call) {
    return AggregateCall.create(
        call.getParserPosition(),
        function,
        call.isDistinct(),
        call.isApproximate(),
        call.ignoreNulls(),
        call.rexList,
        call.getArgList(),
        call.filterArg,
        call.distinctKeys,
        call.collation,
        type,
        call.getName());
  }

  /**
   * A query before it is planned, since plans keep some calls where none can reach: windows with
   * these aggregates, and the mean of BIGINTs from a sum that need not fit BIGINT.
   */
  static RelNode ofQuery(RelNode query) {
    return query.accept(new Queries(query.getCluster().getRexBuilder()));
  }

  /** The exact sum of whole numbers, as a decimal. */
  static SqlAggFunction wideSum(RelDataType type) {
    return function("WIDE_SUM", type, WIDE_SUM);
  }

  /** Whether a function is {@link #wideSum}. */
  static boolean isWideSum(SqlAggFunction function) {
    return function instanceof SqlUserDefinedAggFunction own && own.function.equals(WIDE_SUM);
  }

  private static Optional<SqlAggFunction> own(SqlAggFunction function, RelDataType type) {
    Optional<AggregateFunctionImpl> implementation =
        switch (function.getKind()) {
          case SUM, SUM0 -> ofSum(type.getSqlTypeName());
          case MIN -> ofExtreme(type.getSqlTypeName(), MIN_DOUBLE, MIN_REAL, MIN_UUID);
          case MAX -> ofExtreme(type.getSqlTypeName(), MAX_DOUBLE, MAX_REAL, MAX_UUID);
          default -> Optional.empty();
        };
    return implementation.map(i -> function("OWN_" + function.getKind(), type, i));
  }

  private static Optional<AggregateFunctionImpl> ofSum(SqlTypeName type) {
    return switch (type) {
      case BIGINT -> Optional.of(WHOLE_SUM);
      case DECIMAL -> Optional.of(DECIMAL_SUM);
      case DOUBLE, FLOAT -> Optional.of(DOUBLE_SUM);
      default -> Optional.empty();
    };
  }

  private static Optional<AggregateFunctionImpl> ofExtreme(
      SqlTypeName type,
      AggregateFunctionImpl ofDoubles,
      AggregateFunctionImpl ofReals,
      AggregateFunctionImpl ofUuids) {
    return switch (type) {
      case DOUBLE, FLOAT -> Optional.of(ofDoubles);
      case REAL -> Optional.of(ofReals);
      case UUID -> Optional.of(ofUuids);
      default -> Optional.empty();
    };
  }

  private static SqlAggFunction function(
      String name, RelDataType type, AggregateFunctionImpl implementation) {
    return new SqlUserDefinedAggFunction(
        new SqlIdentifier(name, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(type),
        InferTypes.ANY_NULLABLE,
        OperandTypes.operandMetadata(List.of(), types -> List.of(), i -> "value", i -> false),
        implementation,
        false,
        false,
        Optionality.FORBIDDEN);
  }

  private static final class Windows extends RexShuttle {
    private final Queries queries;
    private final RexBuilder rexBuilder;

    Windows(Queries queries, RexBuilder rexBuilder) {
      this.queries = queries;
      this.rexBuilder = rexBuilder;
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
      RexSubQuery visited = (RexSubQuery) super.visitSubQuery(query);
      return visited.clone(visited.rel.accept(queries));
    }

    @Override
    public RexNode visitCall(RexCall call) {
      return super.visitCall(WholeMeans.ofWindow(call, rexBuilder));
    }

    @Override
    public RexNode visitOver(RexOver over) {
      if (NullAggregates.isNull(over.getType())) {
        return rexBuilder.makeNullLiteral(over.getType());
      }
      RexNode visited = super.visitOver(over);
      if (!(visited instanceof RexOver window)) {
        return visited;
      }
      return over(
          window,
          own(window.getAggOperator(), window.getType()).orElse(window.getAggOperator()),
          window.getType(),
          rexBuilder);
    }
  }

  /** A window with another function and type, and keys of doubles that compare as SQL says. */
  static RexNode over(
      RexOver over, SqlAggFunction function, RelDataType type, RexBuilder rexBuilder) {
    RexWindow window = over.getWindow();
    if (window.getExclude() != RexWindowExclusion.EXCLUDE_NO_OTHER) {
      // Generated code keeps what the row before excluded.
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "windows cannot leave rows out: frame="
              + window.getExclude()
              + "; take the row's own value from the result, or join the table with itself");
    }
    RangeFrames.Frame frame =
        RangeFrames.of(
            new RangeFrames.Frame(
                function,
                window.partitionKeys.stream()
                    .map(key -> NumberExpressions.positiveZero(key, rexBuilder))
                    .toList(),
                DoubleOrder.ofWindow(window, rexBuilder),
                window.getLowerBound(),
                window.getUpperBound()),
            window,
            rexBuilder);
    return rexBuilder.makeOver(
        over.getParserPosition(),
        type,
        frame.function(),
        over.getOperands(),
        frame.partition(),
        ImmutableList.copyOf(frame.order()),
        frame.lower(),
        frame.upper(),
        window.getExclude(),
        window.isRows(),
        true,
        false,
        over.isDistinct(),
        over.ignoreNulls());
  }

  private static final class Queries extends RelHomogeneousShuttle {
    private final RexShuttle windows;

    Queries(RexBuilder rexBuilder) {
      this.windows = new Windows(this, rexBuilder);
    }

    @Override
    public RelNode visit(RelNode other) {
      RelNode visited = super.visit(other).accept(windows);
      return visited instanceof Aggregate aggregate
          ? GrandTotal.of(aggregate, NullAggregates.ofAggregate(aggregate))
          : visited;
    }
  }
}
