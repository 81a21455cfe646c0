package io.loam.calcite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
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
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Gives parameters the types that follow from what they stand beside, and from the functions that
 * take them. Calcite does so in comparisons and arithmetic only.
 */
final class ParameterTypes {
  private final SqlValidator validator;
  private final RelDataTypeFactory types;

  /** Calls that were seen. */
  private final Set<SqlNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  ParameterTypes(SqlValidator validator) {
    this.validator = validator;
    this.types = validator.getTypeFactory();
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
      case IN, NOT_IN -> ofList(call, scope);
      case CASE -> ofCase((SqlCase) call, scope);
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
   * What is looked for in a list has the type of the list's items, and so its parts if it is a row.
   */
  private void ofList(SqlCall call, SqlValidatorScope scope) {
    if (!(call.operand(1) instanceof SqlNodeList items)) {
      return;
    }
    SqlNode left = call.operand(0);
    if (left instanceof SqlDynamicParam) {
      set(left, typeOfAny(items.getList(), scope).orElse(null), scope);
    } else if (left instanceof SqlCall row && row.getKind() == SqlKind.ROW) {
      for (int i = 0; i < row.operandCount(); i++) {
        int part = i;
        List<SqlNode> parts =
            items.getList().stream()
                .filter(item -> item.getKind() == SqlKind.ROW)
                .map(item -> ((SqlCall) item).getOperandList())
                .filter(item -> item.size() > part)
                .<SqlNode>map(item -> item.get(part))
                .toList();
        set(row.operand(i), typeOfAny(parts, scope).orElse(null), scope);
      }
    }
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
    Optional<RelDataType> type = typeOfAny(results, scope);
    for (SqlNode result : results) {
      if (result instanceof SqlDynamicParam parameter) {
        set(
            result,
            type.or(() -> typeOfAny(comparedWith(parameter, call.getWhenOperands()), scope))
                .orElse(null),
            scope);
      }
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
      if (operands.get(i) instanceof SqlDynamicParam) {
        set(operands.get(i), ofOperand(call, i, scope).orElse(null), scope);
      }
    }
  }

  private Optional<RelDataType> ofOperand(SqlCall call, int place, SqlValidatorScope scope) {
    Optional<RelDataType> array = arrayIn(call.getOperandList(), scope);
    return switch (call.getOperator().getName()) {
      case "||" -> array.or(() -> Optional.of(type(SqlTypeName.VARCHAR)));
      case "SUBSTRING" -> Optional.of(type(place == 0 ? SqlTypeName.VARCHAR : SqlTypeName.INTEGER));
      case "ARRAY_CONTAINS" -> array.map(RelDataType::getComponentType);
      case "COALESCE", "NULLIF" -> typeOfAny(call.getOperandList(), scope);
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
        .flatMap(operand -> typeOfAny(List.of(operand), scope).stream())
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

  /** The type of the first node that has one without parameters. */
  private Optional<RelDataType> typeOfAny(List<SqlNode> nodes, SqlValidatorScope scope) {
    return nodes.stream()
        .filter(node -> !SqlUtil.isNullLiteral(node, true) && !hasParameter(node))
        .map(node -> validator.deriveType(scope, node))
        .findFirst();
  }

  private static boolean hasParameter(SqlNode node) {
    return node instanceof SqlDynamicParam
        || (node instanceof SqlNodeList list
            && list.getList().stream().anyMatch(ParameterTypes::hasParameter))
        || (node instanceof SqlCall call
            && Stream.ofNullable(call.getOperandList())
                .flatMap(List::stream)
                .anyMatch(operand -> operand != null && hasParameter(operand)));
  }

  private void set(SqlNode node, @Nullable RelDataType type, SqlValidatorScope scope) {
    if (type != null && node instanceof SqlDynamicParam) {
      ((LoamValidator) validator).inferUnknownTypes(type, scope, node);
    }
  }
}
