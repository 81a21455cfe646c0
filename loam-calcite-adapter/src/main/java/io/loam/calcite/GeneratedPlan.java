package io.loam.calcite;

import com.google.common.collect.ImmutableList;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.adapter.enumerable.EnumerableCalc;
import org.apache.calcite.adapter.enumerable.EnumerableInterpreter;
import org.apache.calcite.adapter.enumerable.EnumerableLimit;
import org.apache.calcite.adapter.enumerable.EnumerableNestedLoopJoin;
import org.apache.calcite.adapter.enumerable.EnumerableValues;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Calc;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexProgram;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.schema.TransientTable;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.TimestampString;

/**
 * The last step of planning, which makes the code that Calcite generates compute what SQL says. It
 * has milliseconds in timestamps; since it only compares, copies and groups most of them, it is
 * enough to convert where an expression depends on the unit, which {@link MicrosecondExpressions}
 * does. It loses some NULLs, see {@link NullableCasts}, and computes numbers as Java does, see
 * {@link NumberExpressions} and {@link DoubleOrder}.
 */
final class GeneratedPlan extends RelHomogeneousShuttle {
  private static final BigDecimal MICROS = BigDecimal.valueOf(1_000);

  private final RexBuilder rexBuilder;

  private GeneratedPlan(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  /** The plan that is to run, which Calcite's optimiser must not see any more. */
  static RelNode of(RelNode plan) {
    return plan.accept(new GeneratedPlan(plan.getCluster().getRexBuilder()));
  }

  /** Likewise one expression. */
  static RexNode of(RexNode expression, RexBuilder rexBuilder) {
    return NullableCasts.correct(expression, rexBuilder)
        .accept(NumberExpressions.ofRows(rexBuilder))
        .accept(new MicrosecondExpressions(rexBuilder));
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode rel = super.visit(other);
    if (rel instanceof Calc calc) {
      return ofCalc(calc);
    }
    if (rel instanceof Values values) {
      return ofValues(values);
    }
    if (rel instanceof Aggregate aggregate) {
      return OwnAggregates.ofAggregate(aggregate);
    }
    if (rel instanceof Window window) {
      return ofWindow(window);
    }
    if (rel instanceof TableFunctionScan function) {
      return function.accept(new Intervals());
    }
    if (rel instanceof Uncollect uncollect && uncollect.withOrdinality) {
      return withoutNull(uncollect);
    }
    if (rel instanceof Sort sort) {
      return DoubleOrder.ofSort(sort);
    }
    if (rel instanceof EnumerableLimit limit) {
      return RowCounts.ofLimit(limit);
    }
    if (rel instanceof TableScan scan && scan.getTable().unwrap(TransientTable.class) != null) {
      return new RoundScan(scan);
    }
    if (rel instanceof EnumerableInterpreter && rel.getInput(0) instanceof RoundScan scan) {
      return scan;
    }
    if (rel instanceof RepeatUnion union) {
      return LoamRecursion.of(union);
    }
    // Conditions of joins, above all, whose types may change.
    return rel.accept(new NullableCasts(rexBuilder))
        .accept(
            rel instanceof EnumerableNestedLoopJoin
                ? NumberExpressions.ofRows(rexBuilder)
                : NumberExpressions.ofJoin(rexBuilder))
        .accept(new MicrosecondExpressions(rexBuilder));
  }

  /** Calcite numbers the items of arrays, but not those of NULL, of which there are none. */
  private RelNode withoutNull(Uncollect uncollect) {
    RelNode arrays = uncollect.getInput();
    if (arrays.getRowType().getFieldCount() != 1) {
      return uncollect;
    }
    RexNode array = rexBuilder.makeInputRef(arrays, 0);
    RelNode present =
        EnumerableCalc.create(
            arrays,
            RexProgram.create(
                arrays.getRowType(),
                List.of(array),
                rexBuilder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, array),
                arrays.getRowType(),
                rexBuilder));
    return uncollect.copy(uncollect.getTraitSet(), present);
  }

  private RelNode ofCalc(Calc calc) {
    RexProgram program = calc.getProgram();
    List<RexNode> given = program.expandList(program.getProjectList());
    List<RexNode> projects = given.stream().map(e -> of(e, rexBuilder)).toList();
    RexNode condition =
        program.getCondition() == null ? null : program.expandLocalRef(program.getCondition());
    RexNode converted = condition == null ? null : of(condition, rexBuilder);
    if (projects.equals(given) && Objects.equals(condition, converted)) {
      return calc;
    }
    return calc.copy(
        calc.getTraitSet(),
        calc.getInput(),
        RexProgram.create(
            program.getInputRowType(),
            projects,
            converted,
            program.getOutputRowType(),
            rexBuilder));
  }

  /** Numbers, made timestamps above them, since literals in a row must be of the row's type. */
  private RelNode ofValues(Values values) {
    List<RelDataTypeField> fields = values.getRowType().getFieldList();
    if (fields.stream().noneMatch(f -> isTimestamp(f.getType()))) {
      return LoamValues.of(values);
    }
    RelDataTypeFactory.Builder numbers = rexBuilder.getTypeFactory().builder();
    fields.forEach(f -> numbers.add(f.getName(), numberType(f.getType())));
    ImmutableList.Builder<ImmutableList<RexLiteral>> tuples = ImmutableList.builder();
    for (ImmutableList<RexLiteral> tuple : values.getTuples()) {
      tuples.add(tuple.stream().map(this::number).collect(ImmutableList.toImmutableList()));
    }
    RelNode rows =
        LoamValues.of(
            EnumerableValues.create(values.getCluster(), numbers.build(), tuples.build()));
    List<RexNode> projects = new ArrayList<>();
    for (RelDataTypeField field : fields) {
      RexNode column = rexBuilder.makeInputRef(rows, field.getIndex());
      projects.add(
          isTimestamp(field.getType())
              ? rexBuilder.makeCall(field.getType(), TimestampFunctions.SAME, List.of(column))
              : column);
    }
    return EnumerableCalc.create(
        rows,
        RexProgram.create(rows.getRowType(), projects, null, values.getRowType(), rexBuilder));
  }

  private RelDataType numberType(RelDataType type) {
    RelDataTypeFactory types = rexBuilder.getTypeFactory();
    return isTimestamp(type)
        ? types.createTypeWithNullability(
            types.createSqlType(SqlTypeName.BIGINT), type.isNullable())
        : type;
  }

  private RexLiteral number(RexLiteral literal) {
    if (!isTimestamp(literal.getType())) {
      return literal;
    }
    RelDataType type = numberType(literal.getType());
    return literal.isNull()
        ? rexBuilder.makeNullLiteral(type)
        : rexBuilder.makeExactLiteral(BigDecimal.valueOf(micros(literal)), type);
  }

  /** RANGE frames over timestamps have their bounds in the unit of these. */
  private RelNode ofWindow(Window window) {
    List<RelDataTypeField> fields = window.getInput().getRowType().getFieldList();
    boolean overTimestamps =
        window.groups.stream()
            .filter(group -> !group.isRows)
            .flatMap(group -> group.orderKeys.getFieldCollations().stream())
            .anyMatch(key -> isTimestamp(fields.get(key.getFieldIndex()).getType()));
    Intervals intervals = new Intervals();
    return overTimestamps
        ? window.copy(window.constants.stream().map(c -> (RexLiteral) c.accept(intervals)).toList())
        : window;
  }

  /** Makes literal intervals of time count microseconds. */
  private final class Intervals extends RexShuttle {
    @Override
    public RexNode visitLiteral(RexLiteral literal) {
      SqlIntervalQualifier qualifier = literal.getType().getIntervalQualifier();
      return qualifier == null || qualifier.isYearMonth() || literal.isNull()
          ? literal
          : rexBuilder.makeIntervalLiteral(
              Objects.requireNonNull(literal.getValueAs(BigDecimal.class)).multiply(MICROS),
              qualifier);
    }
  }

  static boolean isTimestamp(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIMESTAMP;
  }

  /** The microseconds of a literal that is not NULL. */
  static long micros(RexLiteral literal) {
    return TimestampFunctions.parse(
        Objects.requireNonNull(literal.getValueAs(TimestampString.class)).toString());
  }

  /** Computes constants with microseconds. */
  static RexExecutor executor(RexExecutor calcites) {
    return (rexBuilder, constants, reduced) -> {
      if (constants.stream().anyMatch(GeneratedPlan::isTextAsArray)) {
        reduced.addAll(constants);
        return;
      }
      List<RexNode> numbers = new ArrayList<>();
      for (RexNode constant : constants) {
        RexNode micros = of(constant, rexBuilder);
        numbers.add(isTimestamp(constant.getType()) ? asNumber(micros, rexBuilder) : micros);
      }
      List<RexNode> computed = new ArrayList<>();
      calcites.reduce(rexBuilder, numbers, computed);
      for (int i = 0; i < computed.size(); i++) {
        RexNode constant = constants.get(i);
        if (computed.get(i).equals(numbers.get(i))) {
          reduced.add(constant);
        } else {
          reduced.add(
              isTimestamp(constant.getType())
                  ? asTimestamp(computed.get(i), constant.getType(), rexBuilder)
                  : computed.get(i));
        }
      }
    };
  }

  /** Which only a column may refuse, who has a better message. */
  private static boolean isTextAsArray(RexNode constant) {
    return constant.getKind() == SqlKind.CAST
        && constant.getType().getSqlTypeName() == SqlTypeName.ARRAY
        && SqlTypeUtil.isCharacter(((RexCall) constant).getOperands().get(0).getType());
  }

  private static RexNode asNumber(RexNode timestamp, RexBuilder rexBuilder) {
    RelDataTypeFactory types = rexBuilder.getTypeFactory();
    RelDataType number =
        types.createTypeWithNullability(
            types.createSqlType(SqlTypeName.BIGINT), timestamp.getType().isNullable());
    return rexBuilder.makeCall(number, TimestampFunctions.SAME, List.of(timestamp));
  }

  private static RexNode asTimestamp(RexNode number, RelDataType type, RexBuilder rexBuilder) {
    Long micros = number instanceof RexLiteral literal ? literal.getValueAs(Long.class) : null;
    return micros == null
        ? rexBuilder.makeNullLiteral(type)
        : rexBuilder.makeAbstractCast(
            type,
            rexBuilder.makeTimestampLiteral(
                new TimestampString(TimestampFunctions.toText(micros)), type.getPrecision()),
            false);
  }
}
