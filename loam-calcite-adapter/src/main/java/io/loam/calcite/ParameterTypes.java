package io.loam.calcite;

import io.loam.schema.SchemaBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.type.CompositeOperandTypeChecker;
import org.apache.calcite.sql.type.ImplicitCastOperandTypeChecker;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Static;
import org.jspecify.annotations.Nullable;

/**
 * Gives parameters the types that follow from what they stand beside, and from the functions that
 * take them. Calcite does so in comparisons and arithmetic only, and there gives a number the
 * digits of its neighbour, to which it would be rounded.
 */
final class ParameterTypes {
  private static final int MOST_FRACTION_DIGITS = 19;

  private final LoamValidator validator;
  private final RelDataTypeFactory types;

  /** Calls that were seen. */
  private final Set<SqlNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  /** By place, since rewriting COALESCE and NULLIF copies parameters. */
  private final Map<Integer, RelDataType> decided = new HashMap<>();

  private final Map<Integer, BoundParameters.Digits> digits = new HashMap<>();

  ParameterTypes(LoamValidator validator) {
    this.validator = validator;
    this.types = validator.getTypeFactory();
  }

  /** The type that was found here, which no other place may change. */
  Optional<RelDataType> decided(SqlDynamicParam parameter) {
    return Optional.ofNullable(decided.get(parameter.getIndex()));
  }

  BoundParameters.Digits digits(int index) {
    return digits.getOrDefault(index, BoundParameters.Digits.GIVEN);
  }

  /** Gives types to the parameters within a call that is no query. */
  void infer(SqlCall call, SqlValidatorScope scope) {
    if (call.getKind().belongsTo(SqlKind.QUERY) || !seen.add(call)) {
      return;
    }
    for (SqlNode operand : operands(call)) {
      if (operand instanceof SqlCall inner) {
        infer(inner, scope);
      }
    }
    switch (call.getKind()) {
      case IN, NOT_IN, SOME, ALL -> ofMembership(call, scope);
      case CASE -> ofCase((SqlCase) call, scope);
      case PLUS, MINUS, TIMES, DIVIDE, MOD, PLUS_PREFIX, MINUS_PREFIX -> ofArithmetic(call, scope);
      case CAST, SAFE_CAST -> ofCast(call, scope);
      default -> {
        if (call.getOperator().getOperandTypeInference() == null) {
          ofCall(call, scope);
        }
      }
    }
  }

  private static List<SqlNode> operands(SqlCall call) {
    List<SqlNode> operands = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      if (operand instanceof SqlNodeList list) {
        operands.addAll(list.getList());
      } else if (operand != null) {
        operands.add(operand);
      }
    }
    return operands;
  }

  /**
   * What is looked for has the type of what it is looked for in, and so its parts if it is a row.
   */
  private void ofMembership(SqlCall call, SqlValidatorScope scope) {
    SqlNode left = call.operand(0);
    List<SqlNode> parts =
        left instanceof SqlCall row && row.getKind() == SqlKind.ROW
            ? row.getOperandList()
            : List.of(left);
    if (call.operand(1) instanceof SqlNodeList items) {
      for (int i = 0; i < parts.size(); i++) {
        ofColumn(parts.get(i), column(items, left, i), scope);
      }
    } else if (hasParameter(parts)) {
      List<RelDataTypeField> columns = validator.deriveType(scope, call.operand(1)).getFieldList();
      for (int i = 0; i < parts.size() && i < columns.size(); i++) {
        set(parts.get(i), columns.get(i).getType(), scope);
      }
    }
  }

  /** The parts of a list's items that a part of the left side is compared with. */
  private static List<SqlNode> column(SqlNodeList items, SqlNode left, int part) {
    if (left.getKind() != SqlKind.ROW) {
      return items.getList();
    }
    return items.getList().stream()
        .filter(item -> item.getKind() == SqlKind.ROW)
        .map(item -> ((SqlCall) item).getOperandList())
        .filter(item -> item.size() > part)
        .<SqlNode>map(item -> item.get(part))
        .toList();
  }

  /**
   * Comparisons of decimals are exact, whatever their digits. Where a list's items are of several
   * types, though, all become numbers of one.
   */
  private void ofColumn(SqlNode left, List<SqlNode> items, SqlValidatorScope scope) {
    List<SqlNode> all = Stream.concat(Stream.of(left), items.stream()).toList();
    if (!hasParameter(all)) {
      return;
    }
    List<RelDataType> known = typesOf(all, scope);
    Optional<RelDataType> common = common(known);
    Optional<RelDataType> mixed =
        common
            .filter(ParameterTypes::isDecimal)
            .filter(type -> known.stream().anyMatch(one -> !sameType(one, type)));
    if (mixed.isPresent()) {
      all.forEach(node -> setWide(node, mixed.get(), scope));
    } else {
      set(left, common.orElse(null), scope);
    }
  }

  /** A parameter that is a column of rows, which has these types in others of them. */
  void ofItem(SqlNode item, List<RelDataType> others, SqlValidatorScope scope) {
    if (others.isEmpty() || !isUndecided(item)) {
      return;
    }
    RelDataType type = types.leastRestrictive(others);
    if (type == null) {
      type = validator.getTypeCoercion().getWiderTypeFor(others, true);
    }
    setWide(item, type == null ? others.get(0) : type, scope);
  }

  private boolean sameType(RelDataType type, RelDataType other) {
    return types
        .createTypeWithNullability(type, true)
        .equals(types.createTypeWithNullability(other, true));
  }

  /**
   * Results have the type of other results; where there are none, of what they are compared with.
   */
  private void ofCase(SqlCase call, SqlValidatorScope scope) {
    List<SqlNode> results = new ArrayList<>();
    // Calcite writes COALESCE so.
    call.getThenOperands()
        .forEach(
            result ->
                results.add(
                    result.getKind() == SqlKind.CAST_NOT_NULL
                        ? ((SqlCall) result).operand(0)
                        : result));
    if (call.getElseOperand() != null) {
      results.add(call.getElseOperand());
    }
    if (!hasParameter(results)) {
      return;
    }
    Optional<RelDataType> type = common(typesOf(results, scope));
    for (SqlNode result : results) {
      if (result instanceof SqlDynamicParam parameter) {
        if (type.isPresent()) {
          setWide(result, type.get(), scope);
        } else {
          set(
              result,
              common(typesOf(comparedWith(parameter, call.getWhenOperands()), scope)).orElse(null),
              scope);
        }
      }
    }
  }

  private void ofArithmetic(SqlCall call, SqlValidatorScope scope) {
    if (!hasParameter(call.getOperandList())) {
      return;
    }
    Optional<RelDataType> type =
        common(typesOf(call.getOperandList(), scope)).filter(SqlTypeUtil::isNumeric);
    for (SqlNode operand : call.getOperandList()) {
      if (operand instanceof SqlDynamicParam && isUndecided(operand)) {
        setWide(
            operand,
            type.orElseThrow(
                () -> validator.newValidationError(operand, Static.RESOURCE.dynamicParamIllegal())),
            scope);
      }
    }
  }

  private void ofCast(SqlCall call, SqlValidatorScope scope) {
    if (call.operand(0) instanceof SqlDynamicParam parameter) {
      set(parameter, validator.deriveType(scope, call.operand(1)), scope);
      // A cast to the parameter's own type is left out of the plan.
      digits.put(parameter.getIndex(), BoundParameters.Digits.ROUNDED);
    }
  }

  private static List<SqlNode> comparedWith(SqlDynamicParam parameter, SqlNodeList conditions) {
    return conditions.getList().stream()
        .filter(condition -> condition.getKind() == SqlKind.EQUALS)
        .map(condition -> ((SqlCall) condition).getOperandList())
        .filter(
            sides ->
                sides.get(0) instanceof SqlDynamicParam left
                    && left.getIndex() == parameter.getIndex())
        .<SqlNode>map(sides -> sides.get(1))
        .toList();
  }

  private void ofCall(SqlCall call, SqlValidatorScope scope) {
    List<SqlNode> operands = call.getOperandList();
    for (int i = 0; i < operands.size(); i++) {
      if (operands.get(i) instanceof SqlDynamicParam parameter) {
        Optional<RelDataType> type = ofOperand(call, i, scope);
        set(parameter, type.orElse(null), scope);
        if (type.filter(t -> t.getSqlTypeName() == SqlTypeName.DOUBLE).isPresent()) {
          digits.put(parameter.getIndex(), BoundParameters.Digits.FITTING);
        }
      }
    }
  }

  private Optional<RelDataType> ofOperand(SqlCall call, int place, SqlValidatorScope scope) {
    Optional<RelDataType> array = arrayIn(call.getOperandList(), scope);
    return switch (call.getOperator().getName()) {
      case "||" -> array.or(() -> Optional.of(type(SqlTypeName.VARCHAR)));
      case "SUBSTRING" -> Optional.of(type(place == 0 ? SqlTypeName.VARCHAR : SqlTypeName.INTEGER));
      case "ARRAY_CONTAINS" -> array.map(RelDataType::getComponentType);
      case "COALESCE", "NULLIF" -> common(typesOf(call.getOperandList(), scope));
      case "ROUND", "TRUNCATE" ->
          Optional.of(type(place == 0 ? SqlTypeName.DOUBLE : SqlTypeName.INTEGER));
      case "JSON_VALUE", "JSON_QUERY", "JSON_EXISTS" -> Optional.of(type(SqlTypeName.VARCHAR));
      case "ITEM" -> array.map(a -> type(SqlTypeName.INTEGER));
      default ->
          family(call.getOperator().getOperandTypeChecker(), call.operandCount(), place)
              .flatMap(this::typeOf);
    };
  }

  private Optional<RelDataType> arrayIn(List<SqlNode> operands, SqlValidatorScope scope) {
    return operands.stream()
        .flatMap(operand -> typesOf(List.of(operand), scope).stream())
        .filter(type -> type.getComponentType() != null)
        .findFirst();
  }

  /** What a function takes at a place. */
  private static Optional<SqlTypeFamily> family(
      @Nullable SqlOperandTypeChecker checker, int count, int place) {
    if (checker == null || !checker.getOperandCountRange().isValidCount(count)) {
      return Optional.empty();
    }
    if (checker instanceof CompositeOperandTypeChecker composite) {
      return composite.getRules().stream()
          .flatMap(rule -> family(rule, count, place).stream())
          .findFirst();
    }
    return checker instanceof ImplicitCastOperandTypeChecker families
        ? Optional.ofNullable(families.getOperandSqlTypeFamily(place))
            .filter(family -> family != SqlTypeFamily.ANY)
        : Optional.empty();
  }

  private Optional<RelDataType> typeOf(SqlTypeFamily family) {
    return switch (family) {
      case STRING, CHARACTER -> Optional.of(type(SqlTypeName.VARCHAR));
      case NUMERIC, APPROXIMATE_NUMERIC, DECIMAL -> Optional.of(type(SqlTypeName.DOUBLE));
      case INTEGER, EXACT_NUMERIC -> Optional.of(type(SqlTypeName.INTEGER));
      case BOOLEAN -> Optional.of(type(SqlTypeName.BOOLEAN));
      case DATE -> Optional.of(type(SqlTypeName.DATE));
      case TIMESTAMP, DATETIME -> Optional.of(type(SqlTypeName.TIMESTAMP));
      default -> Optional.empty();
    };
  }

  private RelDataType type(SqlTypeName name) {
    return types.createSqlType(name);
  }

  /** The types of the nodes that have one already. */
  private List<RelDataType> typesOf(List<SqlNode> nodes, SqlValidatorScope scope) {
    return nodes.stream()
        .filter(node -> !SqlUtil.isNullLiteral(node, true) && !isUndecided(node))
        .map(
            node ->
                node instanceof SqlDynamicParam parameter
                    ? decided.get(parameter.getIndex())
                    : validator.deriveType(scope, node))
        .toList();
  }

  /** The type that all can become; if there is none, the first. */
  private Optional<RelDataType> common(List<RelDataType> all) {
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(Objects.requireNonNullElse(types.leastRestrictive(all), all.get(0)));
  }

  /** Looked for first, since the types of many nodes take their time. */
  private static boolean hasParameter(List<SqlNode> nodes) {
    return nodes.stream().anyMatch(SqlDynamicParam.class::isInstance);
  }

  private boolean isUndecided(SqlNode node) {
    return (node instanceof SqlDynamicParam parameter && !decided.containsKey(parameter.getIndex()))
        || (node instanceof SqlNodeList list && list.getList().stream().anyMatch(this::isUndecided))
        || (node instanceof SqlCall call
            && Stream.ofNullable(call.getOperandList())
                .flatMap(List::stream)
                .anyMatch(operand -> operand != null && isUndecided(operand)));
  }

  private static boolean isDecimal(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL;
  }

  /**
   * Sets the type of a number that keeps its own digits beside others, as a literal would: as many
   * after the point as there is room for, beside the other's digits before it.
   */
  private void setWide(SqlNode node, RelDataType beside, SqlValidatorScope scope) {
    if (!(node instanceof SqlDynamicParam parameter)) {
      return;
    }
    if (isDecimal(beside)) {
      int room = SchemaBuilder.MAX_DECIMAL_DIGITS - (beside.getPrecision() - beside.getScale());
      int scale = Math.max(beside.getScale(), Math.min(MOST_FRACTION_DIGITS, room));
      set(
          node,
          types.createSqlType(SqlTypeName.DECIMAL, SchemaBuilder.MAX_DECIMAL_DIGITS, scale),
          scope);
      digits.put(parameter.getIndex(), BoundParameters.Digits.FITTING);
    } else {
      set(
          node,
          beside.getSqlTypeName() == SqlTypeName.REAL ? type(SqlTypeName.DOUBLE) : beside,
          scope);
    }
  }

  private void set(SqlNode node, @Nullable RelDataType type, SqlValidatorScope scope) {
    if (type != null && node instanceof SqlDynamicParam parameter) {
      decided.putIfAbsent(parameter.getIndex(), type);
      validator.inferUnknownTypes(type, scope, node);
    }
  }
}
