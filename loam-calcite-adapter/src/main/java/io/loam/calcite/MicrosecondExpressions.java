package io.loam.calcite;

import static io.loam.calcite.GeneratedPlan.isTimestamp;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Converts timestamps where Calcite's generated code would take them for milliseconds: literals,
 * casts, arithmetic, and functions of time. All else compares and copies them as they are.
 */
final class MicrosecondExpressions extends RexShuttle {
  private static final int DIGITS = 6;
  private static final int SECOND = 1_000_000;

  /** In a microsecond. */
  private static final int NANOS = 1_000;

  private final RexBuilder rexBuilder;

  MicrosecondExpressions(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  @Override
  public RexNode visitLiteral(RexLiteral literal) {
    return isTimestamp(literal.getType()) && !literal.isNull()
        ? call(
            literal.getType(),
            TimestampFunctions.SAME,
            rexBuilder.makeBigintLiteral(BigDecimal.valueOf(GeneratedPlan.micros(literal))))
        : literal;
  }

  @Override
  public RexNode visitCall(RexCall call) {
    if (call.getKind() == SqlKind.SEARCH && isTimestamp(call.getOperands().get(0).getType())) {
      return RexUtil.expandSearch(rexBuilder, null, call).accept(this);
    }
    RexNode visited = super.visitCall(call);
    boolean timestamps =
        isTimestamp(call.getType())
            || call.getOperands().stream().anyMatch(o -> isTimestamp(o.getType()));
    return timestamps && visited instanceof RexCall converted ? convert(converted) : visited;
  }

  private RexNode convert(RexCall call) {
    return switch (call.getKind()) {
      case CAST -> cast(call);
      case EXTRACT -> extract(call);
      case FLOOR -> inMillis(call, TimestampFunctions.TO_MILLIS);
      case CEIL -> inMillis(call, TimestampFunctions.TO_MILLIS_UP);
      case PLUS, MINUS -> arithmetic(call);
      default -> isOfTime(call.getOperator()) ? inMillis(call) : written(call);
    };
  }

  private static boolean isOfTime(SqlOperator operator) {
    return operator instanceof SqlFunction function
        && (function.getFunctionType() == SqlFunctionCategory.TIMEDATE
            || function.getKind() == SqlKind.REINTERPRET);
  }

  /** JSON has timestamps as texts. */
  private RexNode written(RexCall call) {
    if (!call.getOperator().getName().startsWith("JSON_")) {
      return call;
    }
    return call.clone(
        call.getType(),
        call.getOperands().stream().map(o -> isTimestamp(o.getType()) ? text(o) : o).toList());
  }

  private RexNode cast(RexCall call) {
    RexNode operand = call.getOperands().get(0);
    RelDataType to = call.getType();
    if (!isTimestamp(operand.getType())) {
      return SqlTypeUtil.isCharacter(operand.getType())
          ? cut(to, call(to, TimestampFunctions.PARSE, operand), DIGITS)
          : inMillis(call);
    }
    if (isTimestamp(to)) {
      return cut(to, operand, operand.getType().getPrecision());
    }
    return SqlTypeUtil.isCharacter(to)
        ? rexBuilder.makeAbstractCast(to, text(operand), false)
        : inMillis(call);
  }

  private RexNode cut(RelDataType to, RexNode timestamp, int digits) {
    int unit = to.getPrecision() < digits ? (int) Math.pow(10, DIGITS - to.getPrecision()) : 1;
    return unit == 1 && timestamp.getType().equals(to)
        ? timestamp
        : call(to, TimestampFunctions.CUT, timestamp, integer(unit));
  }

  private RexNode text(RexNode timestamp) {
    RelDataTypeFactory types = rexBuilder.getTypeFactory();
    return call(
        types.createTypeWithNullability(
            types.createSqlType(SqlTypeName.VARCHAR), timestamp.getType().isNullable()),
        TimestampFunctions.TO_TEXT,
        timestamp);
  }

  private RexNode extract(RexCall call) {
    RexNode unit = call.getOperands().get(0);
    RexNode timestamp = call.getOperands().get(1);
    return switch (((RexLiteral) unit).getValueAs(TimeUnitRange.class)) {
      case MICROSECOND -> withRest(call, 1);
      case NANOSECOND -> withRest(call, NANOS);
      case EPOCH ->
          // Calcite rounds seconds before 1970 up.
          inMillis(
              call.clone(
                  call.getType(),
                  List.of(
                      unit,
                      call(
                          timestamp.getType(),
                          TimestampFunctions.CUT,
                          timestamp,
                          integer(SECOND)))));
      default -> inMillis(call);
    };
  }

  private RexNode withRest(RexCall extract, int factor) {
    RexNode rest =
        call(
            extract.getType(),
            TimestampFunctions.REST,
            extract.getOperands().get(1),
            integer(factor));
    return rexBuilder.makeCall(SqlStdOperatorTable.PLUS, inMillis(extract), rest);
  }

  /** A timestamp and an interval keep what is below the milliseconds of the interval. */
  private RexNode arithmetic(RexCall call) {
    List<RexNode> timestamps =
        call.getOperands().stream().filter(o -> isTimestamp(o.getType())).toList();
    if (!isTimestamp(call.getType()) || timestamps.size() != 1) {
      return inMillis(call);
    }
    return call(
        call.getType(),
        TimestampFunctions.WITH_REST,
        call.clone(call.getType(), millis(call, TimestampFunctions.TO_MILLIS)),
        timestamps.get(0));
  }

  private RexNode inMillis(RexCall call) {
    return inMillis(call, TimestampFunctions.TO_MILLIS);
  }

  /** The call as Calcite knows it. */
  private RexNode inMillis(RexCall call, SqlFunction toMillis) {
    RexNode result = call.clone(call.getType(), millis(call, toMillis));
    return isTimestamp(call.getType())
        ? call(call.getType(), TimestampFunctions.FROM_MILLIS, result)
        : result;
  }

  private List<RexNode> millis(RexCall call, SqlFunction toMillis) {
    List<RexNode> operands = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      operands.add(
          isTimestamp(operand.getType()) ? call(operand.getType(), toMillis, operand) : operand);
    }
    return operands;
  }

  private RexNode integer(int value) {
    return rexBuilder.makeExactLiteral(
        BigDecimal.valueOf(value), rexBuilder.getTypeFactory().createSqlType(SqlTypeName.INTEGER));
  }

  private RexNode call(RelDataType type, SqlFunction function, RexNode... operands) {
    return rexBuilder.makeCall(type, function, List.of(operands));
  }
}
