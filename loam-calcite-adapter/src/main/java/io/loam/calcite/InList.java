package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * {@code x IN (v1, v2, …)} of literals and parameters as one call: of {@code x}, then the values.
 * Calcite would make a comparison of each value and simplify them all against each other. What
 * stays out of a scan is given back to Calcite by {@link InListExpansion}.
 */
final class InList extends SqlFunction {
  static final InList OPERATOR = new InList();

  private InList() {
    super(
        "IN",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.BOOLEAN_NULLABLE,
        InferTypes.FIRST_KNOWN,
        OperandTypes.ONE_OR_MORE,
        SqlFunctionCategory.SYSTEM);
  }

  /** Does not look the name up among functions. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    call.getOperandList().forEach(operand -> validator.deriveType(scope, operand));
    return validateOperands(validator, scope, call);
  }

  @Override
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    RelDataType left = binding.getOperandType(0);
    for (int i = 1; i < binding.getOperandCount(); i++) {
      RelDataType right = binding.getOperandType(i);
      if (!compares(left, right)) {
        if (!throwOnFailure) {
          return false;
        }
        throw new LoamException(
            ErrorCode.TYPE_MISMATCH,
            "value of IN has another type than what it is compared with: compared="
                + binding.operand(0)
                + ", type="
                + left
                + ", value="
                + binding.operand(i)
                + "; give values of that type");
      }
      RelDataType type =
          binding.getValidator().getTypeCoercion().commonTypeForBinaryComparison(left, right);
      if (throwOnFailure && type != null) {
        ComparedTexts.check(binding.getCall().operand(i), type);
      }
    }
    return true;
  }

  /** Text may stand for a value of any type, but no other value for text. */
  private static boolean compares(RelDataType left, RelDataType right) {
    if (right.getSqlTypeName() == SqlTypeName.NULL) {
      return true;
    }
    return SqlTypeUtil.isCharacter(right)
        ? left.getComponentType() == null
        : !SqlTypeUtil.isCharacter(left) && SqlTypeUtil.isComparable(left, right);
  }

  @Override
  public void unparse(SqlWriter writer, SqlCall call, int leftPrecedence, int rightPrecedence) {
    call.operand(0).unparse(writer, leftPrecedence, 0);
    writer.keyword(getName());
    SqlWriter.Frame list = writer.startList("(", ")");
    for (int i = 1; i < call.operandCount(); i++) {
      writer.sep(",");
      call.operand(i).unparse(writer, 0, 0);
    }
    writer.endList(list);
  }
}
