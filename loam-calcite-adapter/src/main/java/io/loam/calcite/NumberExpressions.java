package io.loam.calcite;

import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Makes generated code compare doubles as scans do, where NaN equals itself and is above all, and
 * convert numbers that do not fit to errors, where Java would give others.
 */
final class NumberExpressions extends RexShuttle {
  private static final int MOST_DIGITS_OF_BIGINT = 19;

  private final RexBuilder rexBuilder;
  private final boolean ofJoin;

  private NumberExpressions(RexBuilder rexBuilder, boolean ofJoin) {
    this.rexBuilder = rexBuilder;
    this.ofJoin = ofJoin;
  }

  /** For expressions that are computed for each row. */
  static NumberExpressions ofRows(RexBuilder rexBuilder) {
    return new NumberExpressions(rexBuilder, false);
  }

  /**
   * For the condition of a join by equal columns, which stay as they are, since the join finds them
   * by their hashes or order; NaN equals itself there.
   */
  static NumberExpressions ofJoin(RexBuilder rexBuilder) {
    return new NumberExpressions(rexBuilder, true);
  }

  @Override
  public RexNode visitCall(RexCall call) {
    if (call.getKind() == SqlKind.SEARCH
        && (isApproximate(call.getOperands().get(0)) || isUuid(call.getOperands().get(0)))) {
      return RexUtil.expandSearch(rexBuilder, null, call).accept(this);
    }
    RexNode visited = super.visitCall(call);
    return visited instanceof RexCall corrected ? corrected(corrected) : visited;
  }

  private RexNode corrected(RexCall call) {
    return switch (call.getKind()) {
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM ->
          comparison(call);
      case CAST -> cast(call);
      case PLUS, MINUS -> inCalendar(call);
      case DIVIDE -> quotient(call);
      default ->
          switch (call.getOperator().getName()) {
            case "ABS" -> abs(call);
            case "LOG10" -> log10(call);
            default -> call;
          };
    };
  }

  /** The same value, with 0.0 in the place of -0.0. */
  static RexNode positiveZero(RexNode value, RexBuilder rexBuilder) {
    return switch (value.getType().getSqlTypeName()) {
      case REAL ->
          rexBuilder.makeCall(value.getType(), NumberFunctions.POSITIVE_REAL_ZERO, List.of(value));
      case DOUBLE, FLOAT ->
          rexBuilder.makeCall(value.getType(), NumberFunctions.POSITIVE_ZERO, List.of(value));
      default -> value;
    };
  }

  private RexNode comparison(RexCall call) {
    List<RexNode> operands = call.getOperands();
    if (operands.stream().anyMatch(NumberExpressions::isUuid)) {
      return ofUuids(call);
    }
    boolean joins =
        ofJoin
            && call.getKind() == SqlKind.EQUALS
            && operands.stream().allMatch(RexInputRef.class::isInstance);
    return joins || operands.stream().noneMatch(NumberExpressions::isApproximate)
        ? call
        : call.clone(call.getType(), operands.stream().map(this::rank).toList());
  }

  /** Generated code knows which UUIDs are equal, and not which is less. */
  private RexNode ofUuids(RexCall call) {
    return switch (call.getKind()) {
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> {
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        RexNode order =
            call(
                like(SqlTypeName.INTEGER, left.getType().isNullable() ? left : right),
                NumberFunctions.UUID_ORDER,
                left,
                right);
        yield call.clone(call.getType(), List.of(order, literal(0, SqlTypeName.INTEGER)));
      }
      default -> call;
    };
  }

  private static boolean isUuid(RexNode node) {
    return node.getType().getSqlTypeName() == SqlTypeName.UUID;
  }

  private RexNode rank(RexNode number) {
    RexNode value =
        isApproximate(number)
            ? number
            : rexBuilder.makeAbstractCast(like(SqlTypeName.DOUBLE, number), number, false);
    return call(like(SqlTypeName.BIGINT, number), NumberFunctions.RANK, value);
  }

  private RexNode cast(RexCall call) {
    RexNode operand = call.getOperands().get(0);
    RelDataType to = call.getType();
    if (SqlTypeUtil.isCharacter(operand.getType())) {
      return ofText(call);
    }
    if (!isApproximate(operand)) {
      return call;
    }
    return switch (to.getSqlTypeName()) {
      case TINYINT -> whole(call, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> whole(call, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> whole(call, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> whole(call, Long.MIN_VALUE, Long.MAX_VALUE);
      case DECIMAL -> decimal(call, NumberFunctions.TO_DECIMAL);
      case REAL ->
          operand.getType().getSqlTypeName() == SqlTypeName.REAL
              ? call
              : call(to, NumberFunctions.TO_REAL, operand);
      default -> call;
    };
  }

  private RexNode ofText(RexCall cast) {
    RexNode text = cast.getOperands().get(0);
    RelDataType to = cast.getType();
    return switch (to.getSqlTypeName()) {
      case TINYINT -> whole(cast, Byte.SIZE);
      case SMALLINT -> whole(cast, Short.SIZE);
      case INTEGER -> whole(cast, Integer.SIZE);
      case BIGINT -> whole(cast, Long.SIZE);
      case DECIMAL -> decimal(cast, TextCasts.DECIMAL);
      case DOUBLE, FLOAT -> call(to, TextCasts.DOUBLE, text);
      case REAL -> call(to, TextCasts.REAL, text);
      case DATE -> call(to, TextCasts.DATE, text);
      default -> cast;
    };
  }

  private RexNode decimal(RexCall cast, SqlFunction function) {
    return call(
        cast.getType(),
        function,
        cast.getOperands().get(0),
        literal(cast.getType().getPrecision(), SqlTypeName.INTEGER),
        literal(cast.getType().getScale(), SqlTypeName.INTEGER));
  }

  private RexNode whole(RexCall cast, int bits) {
    RexNode text = cast.getOperands().get(0);
    return narrowed(
        cast,
        call(
            like(SqlTypeName.BIGINT, text),
            TextCasts.WHOLE,
            text,
            literal(bits, SqlTypeName.INTEGER)));
  }

  private RexNode whole(RexCall cast, long least, long greatest) {
    RexNode operand = cast.getOperands().get(0);
    return narrowed(
        cast,
        call(
            like(SqlTypeName.BIGINT, operand),
            NumberFunctions.TO_WHOLE,
            operand,
            literal(least, SqlTypeName.BIGINT),
            literal(greatest, SqlTypeName.BIGINT)));
  }

  /** A whole number that is known to fit the type of the cast. */
  private RexNode narrowed(RexCall cast, RexNode number) {
    return number.getType().equals(cast.getType())
        ? number
        : rexBuilder.makeAbstractCast(cast.getType(), number, false);
  }

  /** A time that was counted from another one. */
  private RexNode inCalendar(RexCall call) {
    return switch (call.getType().getSqlTypeName()) {
      case DATE -> call(call.getType(), TimestampFunctions.DATE_IN_CALENDAR, call);
      case TIMESTAMP -> call(call.getType(), TimestampFunctions.TIMESTAMP_IN_CALENDAR, call);
      default -> call;
    };
  }

  private RexNode quotient(RexCall call) {
    return call.getType().getSqlTypeName() == SqlTypeName.DECIMAL
        ? quotient(call.getOperands().get(0), call.getOperands().get(1), call.getType(), rexBuilder)
        : call;
  }

  /** A quotient with all digits of its type, where that of generated code would have 16. */
  static RexNode quotient(
      RexNode dividend, RexNode divisor, RelDataType type, RexBuilder rexBuilder) {
    return rexBuilder.makeCall(
        type,
        NumberFunctions.DECIMAL_QUOTIENT,
        List.of(
            decimal(dividend, rexBuilder),
            decimal(divisor, rexBuilder),
            whole(type.getPrecision(), rexBuilder),
            whole(type.getScale(), rexBuilder)));
  }

  private static RexNode decimal(RexNode number, RexBuilder rexBuilder) {
    RelDataType type = number.getType();
    if (type.getSqlTypeName() == SqlTypeName.DECIMAL) {
      return number;
    }
    RelDataTypeFactory types = rexBuilder.getTypeFactory();
    RelDataType decimal = types.createSqlType(SqlTypeName.DECIMAL, MOST_DIGITS_OF_BIGINT, 0);
    return rexBuilder.makeAbstractCast(
        types.createTypeWithNullability(decimal, type.isNullable()), number, false);
  }

  private static RexNode whole(int number, RexBuilder rexBuilder) {
    return rexBuilder.makeExactLiteral(BigDecimal.valueOf(number));
  }

  private RexNode abs(RexCall call) {
    return switch (call.getType().getSqlTypeName()) {
      case BIGINT -> call(call.getType(), NumberFunctions.ABS_OF_LONG, call.getOperands().get(0));
      case INTEGER -> call(call.getType(), NumberFunctions.ABS_OF_INT, call.getOperands().get(0));
      default -> call;
    };
  }

  private RexNode log10(RexCall call) {
    RexNode operand = call.getOperands().get(0);
    RexNode number = rexBuilder.makeAbstractCast(like(SqlTypeName.DOUBLE, operand), operand, false);
    return call.getOperator().equals(NumberFunctions.LOG10)
        ? call
        : call(call.getType(), NumberFunctions.LOG10, number);
  }

  private static boolean isApproximate(RexNode node) {
    return SqlTypeUtil.isApproximateNumeric(node.getType());
  }

  /** A type that is nullable where an expression's is. */
  private RelDataType like(SqlTypeName name, RexNode node) {
    RelDataTypeFactory types = rexBuilder.getTypeFactory();
    return types.createTypeWithNullability(types.createSqlType(name), node.getType().isNullable());
  }

  private RexNode literal(long value, SqlTypeName type) {
    return rexBuilder.makeExactLiteral(
        BigDecimal.valueOf(value), rexBuilder.getTypeFactory().createSqlType(type));
  }

  private RexNode call(RelDataType type, SqlFunction function, RexNode... operands) {
    return rexBuilder.makeCall(type, function, List.of(operands));
  }
}
