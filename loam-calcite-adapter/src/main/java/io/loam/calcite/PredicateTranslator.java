package io.loam.calcite;

import io.loam.column.Predicate;
import io.loam.error.LoamException;
import io.loam.query.OutputColumn;
import io.loam.query.TextMatch;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;
import org.apache.calcite.DataContexts;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Translates conditions into {@link PredicatePlan}s, as far as core can evaluate them. NOT is moved
 * inwards to the comparisons first; above those, unknown and false are then the same, so that a
 * comparison with a NULL parameter is simply false.
 */
final class PredicateTranslator {
  private final CollectionSchema schema;
  private final List<OutputColumn> columns;
  private final RexBuilder rexBuilder;

  /**
   * @param columns what the conditions' input references mean
   */
  PredicateTranslator(CollectionSchema schema, List<OutputColumn> columns, RexBuilder rexBuilder) {
    this.schema = schema;
    this.columns = columns;
    this.rexBuilder = rexBuilder;
  }

  /** The whole condition, or nothing where core cannot evaluate all of it. */
  Optional<PredicatePlan> translate(RexNode condition) {
    return translate(RexUtil.expandSearch(rexBuilder, null, condition), false);
  }

  private Optional<PredicatePlan> translate(RexNode node, boolean negated) {
    if (node instanceof RexInputRef) {
      return field(node)
          .flatMap(f -> compare(f, Predicate.Op.EQ, rexBuilder.makeLiteral(!negated)));
    }
    if (node.isAlwaysTrue() || node.isAlwaysFalse()) {
      boolean value = node.isAlwaysTrue() != negated;
      return Optional.of(
          new PredicatePlan(value ? "TRUE" : "FALSE", context -> new Predicate.Constant(value)));
    }
    if (!(node instanceof RexCall call)) {
      return Optional.empty();
    }
    return switch (call.getKind()) {
      case NOT -> translate(call.getOperands().get(0), !negated);
      case AND -> combination(call, negated, !negated);
      case OR -> combination(call, negated, negated);
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          comparison(call, negated);
      case IS_NULL -> isNull(call, negated);
      case IS_NOT_NULL -> isNull(call, !negated);
      case LIKE -> like(call, negated);
      default -> function(call, negated);
    };
  }

  private Optional<PredicatePlan> function(RexCall call, boolean negated) {
    if (call.getOperator().equals(InList.OPERATOR)) {
      List<RexNode> operands = call.getOperands();
      return field(operands.get(0))
          .filter(field -> field.kind() != TypeKind.VARCHAR_ARRAY)
          .flatMap(field -> in(field, operands.subList(1, operands.size()), negated));
    }
    if (call.getOperator().equals(TextFunctions.MATCH_TEXT)) {
      return MatchQuery.of(call, this::column).map(query -> match(query, negated));
    }
    return call.getOperator().equals(SqlLibraryOperators.ARRAY_CONTAINS)
        ? arrayContains(call, negated)
        : Optional.empty();
  }

  private Optional<PredicatePlan> combination(RexCall call, boolean negated, boolean conjunction) {
    Optional<PredicatePlan> in = in(call.getOperands(), negated, conjunction);
    return in.isPresent() ? in : combine(call, negated, conjunction);
  }

  /** {@code IN} or {@code NOT IN}, which come as comparisons of one field with several values. */
  private Optional<PredicatePlan> in(
      List<RexNode> comparisons, boolean negated, boolean conjunction) {
    SqlKind each = conjunction == negated ? SqlKind.EQUALS : SqlKind.NOT_EQUALS;
    Field field = null;
    List<RexNode> values = new ArrayList<>();
    for (RexNode node : comparisons) {
      if (node.getKind() != each) {
        return Optional.empty();
      }
      List<RexNode> sides = ((RexCall) node).getOperands();
      Optional<Field> compared = field(sides.get(0));
      if (compared.isEmpty()
          || (field != null && !field.equals(compared.get()))
          || compared.get().kind() == TypeKind.VARCHAR_ARRAY) {
        return Optional.empty();
      }
      field = compared.get();
      values.add(sides.get(1));
    }
    try {
      return field == null ? Optional.empty() : in(field, values, conjunction);
    } catch (LoamException e) {
      return Optional.empty(); // where a constant is not of the field's type, Calcite compares
    }
  }

  /** Fails where a constant is not a value that compares with the field's. */
  private static Optional<PredicatePlan> in(Field field, List<RexNode> values, boolean excluded) {
    List<Operand> operands = new ArrayList<>(values.size());
    for (RexNode value : values) {
      Optional<Operand> operand = Operand.of(value);
      if (operand.isEmpty()) {
        return Optional.empty();
      }
      operands.add(operand.get());
    }
    String text =
        field.name()
            + (excluded ? " NOT IN (" : " IN (")
            + operands.stream().map(Operand::text).distinct().collect(Collectors.joining(", "))
            + ")";
    if (operands.stream().allMatch(Operand::constant)) {
      Predicate bound = in(field, operands, excluded, DataContexts.EMPTY);
      return Optional.of(new PredicatePlan(text, context -> bound));
    }
    return Optional.of(new PredicatePlan(text, context -> in(field, operands, excluded, context)));
  }

  private static Predicate in(
      Field field, List<Operand> operands, boolean excluded, DataContext context) {
    FieldValues values = FieldValues.of(field);
    List<Object> converted = new ArrayList<>(operands.size());
    for (Operand operand : operands) {
      Object value = values.comparable(operand.value(context));
      if (value != null) {
        converted.add(value);
      }
    }
    boolean unknown = converted.size() < operands.size();
    return excluded && unknown
        ? new Predicate.Constant(false)
        : negate(new Predicate.In(field.number(), converted), excluded);
  }

  private Optional<PredicatePlan> combine(RexCall call, boolean negated, boolean conjunction) {
    List<PredicatePlan> parts = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      Optional<PredicatePlan> part = translate(operand, negated);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      parts.add(part.get());
    }
    return Optional.of(conjunction ? PredicatePlan.and(parts) : PredicatePlan.or(parts));
  }

  private Optional<PredicatePlan> comparison(RexCall call, boolean negated) {
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    SqlKind kind = negated ? call.getKind().negateNullSafe() : call.getKind();
    Optional<Field> field = field(left);
    if (field.isPresent()) {
      return compare(field.get(), op(kind), right);
    }
    return field(right).flatMap(f -> compare(f, op(kind.reverse()), left));
  }

  private static Predicate.Op op(SqlKind kind) {
    return switch (kind) {
      case EQUALS -> Predicate.Op.EQ;
      case NOT_EQUALS -> Predicate.Op.NE;
      case LESS_THAN -> Predicate.Op.LT;
      case LESS_THAN_OR_EQUAL -> Predicate.Op.LE;
      case GREATER_THAN -> Predicate.Op.GT;
      case GREATER_THAN_OR_EQUAL -> Predicate.Op.GE;
      default -> throw new IllegalArgumentException("not a comparison: " + kind);
    };
  }

  private Optional<PredicatePlan> compare(Field field, Predicate.Op op, RexNode value) {
    if (field.kind() == TypeKind.VARCHAR_ARRAY) {
      return Optional.empty();
    }
    String sign =
        switch (op) {
          case EQ -> " = ";
          case NE -> " <> ";
          case LT -> " < ";
          case LE -> " <= ";
          case GT -> " > ";
          case GE -> " >= ";
        };
    return withValue(field, value, sign, v -> new Predicate.Compare(field.number(), op, v));
  }

  private Optional<PredicatePlan> like(RexCall call, boolean negated) {
    List<RexNode> operands = call.getOperands();
    Optional<Field> field = field(operands.get(0)).filter(f -> f.kind() == TypeKind.VARCHAR);
    Optional<Operand> escape =
        operands.size() < 3
            ? Optional.of(new Operand("", true, context -> "\0"))
            : Operand.of(operands.get(2))
                .filter(Operand::constant)
                .filter(e -> String.valueOf(e.value(DataContexts.EMPTY)).length() == 1);
    if (field.isEmpty() || escape.isEmpty()) {
      return Optional.empty();
    }
    char escaped = String.valueOf(escape.get().value(DataContexts.EMPTY)).charAt(0);
    return withValue(
        field.get(),
        operands.get(1),
        negated ? " NOT LIKE " : " LIKE ",
        v -> negate(new Predicate.Like(field.get().number(), v.toString(), escaped), negated));
  }

  private Optional<PredicatePlan> arrayContains(RexCall call, boolean negated) {
    Optional<Field> field =
        field(call.getOperands().get(0)).filter(f -> f.kind() == TypeKind.VARCHAR_ARRAY);
    Optional<Operand> item = Operand.of(call.getOperands().get(1));
    if (field.isEmpty() || item.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PredicatePlan(
            (negated ? "NOT " : "")
                + "array_contains("
                + field.get().name()
                + ", "
                + item.get().text()
                + ")",
            context -> {
              Object value = item.get().value(context);
              return value == null
                  ? new Predicate.Constant(false)
                  : negate(
                      new Predicate.ArrayContains(field.get().number(), value.toString()), negated);
            }));
  }

  private static PredicatePlan match(MatchQuery query, boolean negated) {
    return new PredicatePlan(
        (negated ? "NOT " : "") + query.text(),
        context -> negate(new TextMatch(query.bind(context)), negated));
  }

  private Optional<PredicatePlan> isNull(RexCall call, boolean negated) {
    return field(call.getOperands().get(0))
        .map(
            field ->
                new PredicatePlan(
                    field.name() + (negated ? " IS NOT NULL" : " IS NULL"),
                    context -> negate(new Predicate.IsNull(field.number()), negated)));
  }

  private static Predicate negate(Predicate predicate, boolean negated) {
    return negated ? new Predicate.Not(predicate) : predicate;
  }

  /** A condition on a field and a value, false where the value is NULL. */
  private static Optional<PredicatePlan> withValue(
      Field field, RexNode value, String sign, Function<Object, Predicate> condition) {
    Optional<Operand> operand = Operand.of(value);
    if (operand.isEmpty()) {
      return Optional.empty();
    }
    FieldValues values = FieldValues.of(field);
    PredicatePlan plan =
        new PredicatePlan(
            field.name() + sign + operand.get().text(),
            context -> {
              Object converted = values.comparable(operand.get().value(context));
              return converted == null ? new Predicate.Constant(false) : condition.apply(converted);
            });
    return operand.get().constant() && !binds(plan) ? Optional.empty() : Optional.of(plan);
  }

  /** Whether a constant is a value of the field's type; where it is not, Calcite compares. */
  private static boolean binds(PredicatePlan plan) {
    try {
      plan.bind(DataContexts.EMPTY);
      return true;
    } catch (LoamException e) {
      return false;
    }
  }

  /** The typed field that an expression is. */
  private Optional<Field> field(RexNode node) {
    return column(node).filter(f -> f.kind().isTyped());
  }

  /** Whether an expression is an exact number in a type that holds all values of its own. */
  private static boolean isWiderNumber(RexNode node) {
    if (node.getKind() != SqlKind.CAST) {
      return false;
    }
    RelDataType to = node.getType();
    RelDataType from = ((RexCall) node).getOperands().get(0).getType();
    return SqlTypeUtil.isExactNumeric(from)
        && SqlTypeUtil.isExactNumeric(to)
        && to.getScale() >= from.getScale()
        && to.getPrecision() - to.getScale() >= from.getPrecision() - from.getScale();
  }

  private Optional<Field> column(RexNode node) {
    if (isWiderNumber(node)) {
      return column(((RexCall) node).getOperands().get(0));
    }
    if (!(node instanceof RexInputRef ref)) {
      return Optional.empty();
    }
    OutputColumn column = columns.get(ref.getIndex());
    return column.kind() == OutputColumn.Kind.FIELD
        ? Optional.of(schema.field(column.number()))
        : Optional.empty();
  }
}
