package io.loam.calcite;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's implicit casts, where text that is compared with a UUID becomes one, text never becomes
 * an array, literal texts of a list have the type of what is looked for in it, and those that
 * cannot be cast are refused.
 */
final class LoamTypeCoercion extends TypeCoercionImpl {
  /** Whether a statement's values are being cast to columns, who have better messages. */
  private boolean assigns;

  LoamTypeCoercion(RelDataTypeFactory types, SqlValidator validator) {
    super(types, validator);
  }

  @Override
  public @Nullable RelDataType commonTypeForBinaryComparison(
      @Nullable RelDataType left, @Nullable RelDataType right) {
    if (left != null && right != null) {
      if (isUuid(left) && SqlTypeUtil.isCharacter(right)) {
        return left;
      }
      if (isUuid(right) && SqlTypeUtil.isCharacter(left)) {
        return right;
      }
      if ((isArray(left) && SqlTypeUtil.isCharacter(right))
          || (isArray(right) && SqlTypeUtil.isCharacter(left))) {
        return null;
      }
    }
    return super.commonTypeForBinaryComparison(left, right);
  }

  @Override
  public boolean querySourceCoercion(
      @Nullable SqlValidatorScope scope,
      RelDataType sourceRowType,
      RelDataType targetRowType,
      SqlNode query) {
    assigns = true;
    try {
      return super.querySourceCoercion(scope, sourceRowType, targetRowType, query);
    } finally {
      assigns = false;
    }
  }

  @Override
  protected boolean coerceOperandType(
      @Nullable SqlValidatorScope scope, SqlCall call, int index, RelDataType type) {
    if (!assigns) {
      if (compares(call.getKind())) {
        ComparedTexts.check(call.operand(index), type);
      }
      if (call.getKind() == SqlKind.ROW) {
        castParameter(scope, call.operand(index), type)
            .ifPresent(cast -> call.setOperand(index, cast));
      }
    }
    return super.coerceOperandType(scope, call, index, type);
  }

  /** Not functions, some of which take values of one type or another. */
  private static boolean compares(SqlKind kind) {
    return switch (kind) {
      case BETWEEN, ROW, IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> true;
      default -> SqlKind.COMPARISON.contains(kind);
    };
  }

  @Override
  protected boolean coerceColumnType(
      @Nullable SqlValidatorScope scope, SqlNodeList columns, int index, RelDataType type) {
    if (!assigns && index < columns.size()) {
      SqlNode column = columns.get(index);
      if (column.getKind() == SqlKind.AS) {
        SqlCall named = (SqlCall) column;
        castParameter(scope, named.operand(0), type).ifPresent(cast -> named.setOperand(0, cast));
      } else {
        castParameter(scope, column, type).ifPresent(cast -> columns.set(index, cast));
      }
    }
    return super.coerceColumnType(scope, columns, index, type);
  }

  /** A parameter of a row as a value of the type that its column gets, where Calcite casts none. */
  private Optional<SqlNode> castParameter(
      @Nullable SqlValidatorScope scope, SqlNode node, RelDataType type) {
    if (scope == null
        || !(node instanceof SqlDynamicParam)
        || SqlTypeUtil.isCharacter(type)
        || !SqlTypeUtil.isAtomic(type)
        || SqlTypeUtil.equalSansNullability(factory, validator.deriveType(scope, node), type)) {
      return Optional.empty();
    }
    SqlNode cast = castTo(node, type);
    validator.deriveType(scope, cast);
    return Optional.of(cast);
  }

  private static SqlNode castTo(SqlNode node, RelDataType type) {
    return SqlStdOperatorTable.CAST.createCall(
        node.getParserPosition(), node, SqlTypeUtil.convertTypeToSpec(type));
  }

  @Override
  public boolean inOperationCoercion(SqlCallBinding binding) {
    SqlCall call = binding.getCall();
    boolean cast =
        call.operand(1) instanceof SqlNodeList items
            && castItems(call.operand(0), items, binding.getScope());
    return super.inOperationCoercion(binding) || cast;
  }

  private boolean castItems(SqlNode left, SqlNodeList items, SqlValidatorScope scope) {
    boolean cast = false;
    for (int i = 0; i < items.size(); i++) {
      int place = i;
      if (left.getKind() != SqlKind.ROW) {
        Optional<SqlNode> value = cast(items.get(i), left, scope);
        value.ifPresent(v -> items.set(place, v));
        cast |= value.isPresent();
      } else if (items.get(i) instanceof SqlCall row && row.getKind() == SqlKind.ROW) {
        cast |= castParts(((SqlCall) left).getOperandList(), row, scope);
      }
    }
    if (cast) {
      List<RelDataType> types =
          items.stream().map(item -> validator.deriveType(scope, item)).toList();
      RelDataType type = factory.leastRestrictive(types);
      validator.setValidatedNodeType(
          items, type != null ? type : Objects.requireNonNull(getWiderTypeFor(types, true)));
    }
    return cast;
  }

  private boolean castParts(List<SqlNode> compared, SqlCall row, SqlValidatorScope scope) {
    boolean cast = false;
    for (int i = 0; i < Math.min(compared.size(), row.operandCount()); i++) {
      int place = i;
      Optional<SqlNode> value = cast(row.operand(i), compared.get(i), scope);
      value.ifPresent(v -> row.setOperand(place, v));
      cast |= value.isPresent();
    }
    return cast;
  }

  /** A literal text as a comparison by itself would cast it. */
  private Optional<SqlNode> cast(SqlNode value, SqlNode compared, SqlValidatorScope scope) {
    if (!(value instanceof SqlCharStringLiteral)) {
      return Optional.empty();
    }
    RelDataType type =
        commonTypeForBinaryComparison(
            validator.deriveType(scope, compared), validator.deriveType(scope, value));
    if (type == null || SqlTypeUtil.isCharacter(type)) {
      return Optional.empty();
    }
    ComparedTexts.check(value, type);
    SqlNode cast = castTo(value, type);
    validator.deriveType(scope, cast);
    return Optional.of(cast);
  }

  private static boolean isArray(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.ARRAY;
  }

  private static boolean isUuid(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.UUID;
  }
}
