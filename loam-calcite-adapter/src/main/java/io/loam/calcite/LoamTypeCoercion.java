package io.loam.calcite;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's implicit casts, where text that is compared with a UUID becomes one, and text never
 * becomes an array.
 */
final class LoamTypeCoercion extends TypeCoercionImpl {
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

  private static boolean isArray(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.ARRAY;
  }

  private static boolean isUuid(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.UUID;
  }
}
