package io.loam.calcite;

import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Casts values of the rows that an INSERT writes to the types of their columns, where texts stand
 * among numbers or times: Calcite wants them to have a type in common, though each would do by
 * itself.
 */
final class InsertedTexts {
  private InsertedTexts() {}

  /** Changes the statement itself. */
  static void cast(SqlInsert insert, CollectionSchema schema, RelDataTypeFactory types) {
    if (!(insert.getSource() instanceof SqlBasicCall values)
        || values.getKind() != SqlKind.VALUES
        || values.operandCount() < 2) {
      return;
    }
    List<SqlCall> rows = values.getOperandList().stream().map(SqlCall.class::cast).toList();
    List<Optional<Field>> fields = fields(insert.getTargetColumnList(), schema);
    for (int i = 0; i < fields.size(); i++) {
      int place = i;
      fields.get(i).ifPresent(field -> cast(rows, place, field, types));
    }
  }

  private static List<Optional<Field>> fields(
      @Nullable SqlNodeList columns, CollectionSchema schema) {
    return columns == null
        ? schema.fields().stream().map(Optional::of).toList()
        : columns.stream()
            .map(column -> schema.find(Util.last(((SqlIdentifier) column).names)))
            .toList();
  }

  private static void cast(List<SqlCall> rows, int place, Field field, RelDataTypeFactory types) {
    boolean texts = isText(field);
    if (rows.stream().anyMatch(row -> row.operandCount() <= place)) {
      return; // Which Calcite explains.
    }
    List<SqlNode> items = rows.stream().map(row -> row.<SqlNode>operand(place)).toList();
    if (items.stream().noneMatch(InsertedTexts::isText)
        || items.stream().noneMatch(InsertedTexts::isOther)
        || !(texts || isValue(field))) {
      return;
    }
    for (SqlCall row : rows) {
      SqlNode item = row.operand(place);
      if (texts ? isOther(item) : !isOther(item) && !isUntyped(item)) {
        SqlDataTypeSpec type = SqlTypeUtil.convertTypeToSpec(SqlTypes.of(types, field));
        row.setOperand(
            place, SqlStdOperatorTable.CAST.createCall(item.getParserPosition(), item, type));
      }
    }
  }

  private static boolean isText(Field field) {
    return switch (field.kind()) {
      case VARCHAR, TEXT, JSON -> true;
      default -> false;
    };
  }

  /** Whether texts and other literals can be values of the column. */
  private static boolean isValue(Field field) {
    return switch (field.kind()) {
      case BIGINT, INTEGER, REAL, DOUBLE, DECIMAL, BOOLEAN, DATE, TIMESTAMP -> true;
      default -> false;
    };
  }

  private static boolean isText(SqlNode item) {
    return item instanceof SqlLiteral literal && literal.getTypeName() == SqlTypeName.CHAR;
  }

  /** A literal of a number, a time or a truth value. */
  private static boolean isOther(SqlNode item) {
    boolean signed =
        item.getKind() == SqlKind.MINUS_PREFIX || item.getKind() == SqlKind.PLUS_PREFIX;
    return signed || (item instanceof SqlLiteral && !isText(item) && !isUntyped(item));
  }

  private static boolean isUntyped(SqlNode item) {
    return item instanceof SqlDynamicParam || SqlUtil.isNullLiteral(item, false);
  }
}
