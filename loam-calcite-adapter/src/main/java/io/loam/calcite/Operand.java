package io.loam.calcite;

import com.google.common.collect.Lists;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.DataContext;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * A value that a statement gives without reading a scan's rows: a literal, a parameter, an array or
 * map of such, or a column of the row that a lateral search is made for. It is known when the scan
 * runs.
 *
 * @param text as EXPLAIN shows it
 * @param constant whether it needs no parameter
 * @param outer the column of an outer row that it is
 */
record Operand(
    String text,
    boolean constant,
    Function<DataContext, @Nullable Object> evaluator,
    Optional<RexFieldAccess> outer) {

  Operand(String text, boolean constant, Function<DataContext, @Nullable Object> evaluator) {
    this(text, constant, evaluator, Optional.empty());
  }

  /** The value: a Java object as {@link FieldValues} takes it, parameters as JDBC bound them. */
  @Nullable Object value(DataContext context) {
    return evaluator.apply(context);
  }

  /** The operand that an expression is, or nothing where it reads rows or needs computing. */
  static Optional<Operand> of(RexNode node) {
    if (node instanceof RexLiteral literal) {
      Object value = literalValue(literal);
      return Optional.of(new Operand(literalText(value), true, context -> value));
    }
    if (node instanceof RexDynamicParam parameter) {
      String name = parameter.getName();
      return Optional.of(new Operand(name, false, context -> parameter(context, name)));
    }
    if (node instanceof RexFieldAccess access
        && access.getReferenceExpr() instanceof RexCorrelVariable) {
      return Optional.of(ofOuter(access));
    }
    if (node instanceof RexCall call) {
      return switch (call.getKind()) {
        case CAST, REINTERPRET -> ofCast(call);
        case ARRAY_VALUE_CONSTRUCTOR -> ofAll(call).map(items -> array(items));
        case MAP_VALUE_CONSTRUCTOR -> ofAll(call).map(items -> map(items));
        default ->
            call.getOperator().equals(LoamFunctions.TO_VECTOR)
                    || call.getOperator().equals(LoamFunctions.TEXT_TO_UUID)
                ? of(call.getOperands().get(0))
                : Optional.empty();
      };
    }
    return Optional.empty();
  }

  /** A column of an outer row; {@link OuterRow} knows its value. */
  static Operand ofOuter(RexFieldAccess access) {
    String name = access.toString();
    return new Operand(name, false, context -> parameter(context, name), Optional.of(access));
  }

  /** Like {@link #of(RexNode)}, and computes constant expressions. */
  static Optional<Operand> folded(RexNode node, RelOptCluster cluster) {
    Optional<Operand> operand = of(node);
    RexExecutor executor = cluster.getPlanner().getExecutor();
    if (operand.isPresent()
        || executor == null
        || !RexUtil.isConstant(node)
        || hasParameter(node)) {
      return operand;
    }
    List<RexNode> reduced = new ArrayList<>();
    executor.reduce(cluster.getRexBuilder(), List.of(node), reduced);
    return of(reduced.get(0));
  }

  private static boolean hasParameter(RexNode node) {
    return RexUtil.find(SqlKind.DYNAMIC_PARAM).contains(node);
  }

  /** A cast of a parameter, or to an array or UUID, is left to whoever takes the value. */
  private static Optional<Operand> ofCast(RexCall call) {
    RexNode operand = call.getOperands().get(0);
    boolean toArray = call.getType().getComponentType() != null;
    boolean sameFamily =
        call.getType().getSqlTypeName().getFamily()
                == operand.getType().getSqlTypeName().getFamily()
            && call.getType().getSqlTypeName().getFamily() != SqlTypeFamily.NUMERIC;
    boolean toUuid = call.getType().getSqlTypeName() == SqlTypeName.UUID;
    return operand instanceof RexDynamicParam
            || operand instanceof RexFieldAccess
            || toArray
            || toUuid
            || sameFamily
            || isNull(operand)
        ? of(operand)
        : Optional.empty();
  }

  private static boolean isNull(RexNode node) {
    return node instanceof RexLiteral literal && literal.isNull();
  }

  private static Optional<List<Operand>> ofAll(RexCall call) {
    List<Operand> items = new ArrayList<>();
    for (RexNode node : call.getOperands()) {
      Optional<Operand> item = of(stripNumericCast(node));
      if (item.isEmpty()) {
        return Optional.empty();
      }
      items.add(item.get());
    }
    return Optional.of(items);
  }

  /** Items of an array are cast to their common type, which numbers do not need here. */
  private static RexNode stripNumericCast(RexNode node) {
    return node instanceof RexCall call
            && call.getKind() == SqlKind.CAST
            && call.getType().getSqlTypeName().getFamily() == SqlTypeFamily.NUMERIC
            && call.getOperands().get(0) instanceof RexLiteral literal
        ? literal
        : node;
  }

  private static Operand array(List<Operand> items) {
    return new Operand(
        "ARRAY" + items.stream().map(Operand::text).toList(),
        items.stream().allMatch(Operand::constant),
        context -> Lists.newArrayList(Lists.transform(items, item -> item.value(context))));
  }

  private static Operand map(List<Operand> keysAndValues) {
    return new Operand(
        "MAP" + keysAndValues.stream().map(Operand::text).toList(),
        keysAndValues.stream().allMatch(Operand::constant),
        context -> {
          Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
          for (int i = 0; i < keysAndValues.size(); i += 2) {
            map.put(keysAndValues.get(i).value(context), keysAndValues.get(i + 1).value(context));
          }
          return map;
        });
  }

  private static @Nullable Object parameter(DataContext context, String name) {
    Object value = context.get(name);
    return value instanceof VectorView vector ? vector.values() : value;
  }

  private static @Nullable Object literalValue(RexLiteral literal) {
    Comparable<?> value = literal.getValue();
    if (value == null) {
      return null;
    }
    if (value instanceof NlsString text) {
      return text.getValue();
    }
    return switch (literal.getType().getSqlTypeName()) {
      case DATE -> LocalDate.parse(literal.getValueAs(DateString.class).toString());
      case TIMESTAMP ->
          LocalDateTime.parse(
              literal.getValueAs(TimestampString.class).toString().replace(' ', 'T'));
      default -> value;
    };
  }

  private static String literalText(@Nullable Object value) {
    if (value instanceof String || value instanceof LocalDate || value instanceof LocalDateTime) {
      return "'" + value.toString().replace("'", "''") + "'";
    }
    return value instanceof BigDecimal number ? number.toPlainString() : String.valueOf(value);
  }

  /** The value as a whole number that is not negative, for LIMIT and OFFSET. */
  long count(DataContext context, String what) {
    Object value = value(context);
    if (value instanceof Number number && number.longValue() >= 0) {
      return number.longValue();
    }
    throw new LoamException(
        ErrorCode.INVALID_ARGUMENT,
        what + " is not a whole number from 0: value=" + value + "; give such a number");
  }
}
