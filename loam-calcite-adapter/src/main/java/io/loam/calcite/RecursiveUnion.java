package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SetopNamespace;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;
import org.jspecify.annotations.Nullable;

/**
 * The UNION of a query that reads itself. Calcite types what it reads by the first part alone, and
 * cuts what later rounds give to that: texts here have no length, and other types that would grow
 * from round to round are an error.
 */
final class RecursiveUnion extends SetopNamespace {
  private final SqlCall union;
  private final SqlWithItem item;
  private final Supplier<SqlValidatorScope> scopes;

  /**
   * @param item the union under its name
   * @param scopes gives the union's scope, once it is known
   */
  RecursiveUnion(
      SqlValidatorImpl validator,
      SqlCall union,
      SqlNode enclosing,
      SqlWithItem item,
      Supplier<SqlValidatorScope> scopes) {
    super(validator, union, enclosing);
    this.union = union;
    this.item = item;
    this.scopes = scopes;
  }

  @Override
  public RelDataType validateImpl(RelDataType targetRowType) {
    SqlNode first = union.operand(0);
    SqlValidatorScope scope = scopes.get();
    validator.validateQuery(first, scope, targetRowType);
    widenTexts(first, scope);
    List<RelDataTypeField> columns = fields(first);
    RelDataType all = super.validateImpl(targetRowType);
    for (int i = 0; i < columns.size(); i++) {
      check(columns.get(i), all.getFieldList().get(i));
    }
    return all;
  }

  private List<RelDataTypeField> fields(SqlNode part) {
    return new ArrayList<>(
        Objects.requireNonNull(validator.getNamespace(part)).getRowType().getFieldList());
  }

  private void widenTexts(SqlNode first, SqlValidatorScope scope) {
    RelDataTypeFactory types = validator.getTypeFactory();
    Casts casts = new Casts(types, validator);
    for (RelDataTypeField column : fields(first)) {
      if (SqlTypeUtil.isCharacter(column.getType())) {
        RelDataType text =
            types.createTypeWithNullability(
                types.createSqlType(SqlTypeName.VARCHAR), column.getType().isNullable());
        casts.rowTypeCoercion(scope, first, column.getIndex(), text);
      }
    }
  }

  private void check(RelDataTypeField first, RelDataTypeField all) {
    // Their texts, since these do not tell which values may be NULL.
    if (first.getType().toString().equals(all.getType().toString())
        || neverGrows(all.getType().getSqlTypeName())) {
      return;
    }
    SqlNodeList names = item.columnList;
    SqlParserPos place = union.operand(1).getParserPosition();
    throw new LoamException(
        ErrorCode.TYPE_MISMATCH,
        "recursive query gives a column another type than its first part does: query="
            + item.name
            + ", column="
            + (names == null ? all.getName() : names.get(all.getIndex()))
            + ", first="
            + first.getType()
            + ", all="
            + all.getType()
            + ", line="
            + place.getLineNum()
            + ", column="
            + place.getColumnNum()
            + "; CAST it in the first part to a type that holds all values, and in the other part"
            + " to the same if that has more digits still");
  }

  /** Whether a round more gives the same type again, having none with more room. */
  private static boolean neverGrows(SqlTypeName type) {
    return switch (type) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, REAL, FLOAT, DOUBLE, DATE, TIME, TIMESTAMP -> true;
      default -> false;
    };
  }

  /** Casts wherever it is asked to, also between texts, which Calcite thinks needless. */
  private static final class Casts extends TypeCoercionImpl {
    Casts(RelDataTypeFactory types, SqlValidator validator) {
      super(types, validator);
    }

    @Override
    protected boolean needToCast(
        @Nullable SqlValidatorScope scope,
        SqlNode node,
        RelDataType type,
        SqlTypeMappingRule rule) {
      return true;
    }

    @Override
    protected boolean needToCast(
        @Nullable SqlValidatorScope scope, SqlNode node, RelDataType type) {
      return true;
    }
  }
}
