package io.loam.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * Gives parameters that are columns of VALUES, or of a part of a set operation, the types that
 * their columns have in other rows or parts.
 */
final class ColumnParameters {
  /** The columns of a row or part that has parameters among them. */
  private record Row(List<SqlNode> items, SqlValidatorScope scope) {}

  private final LoamValidator validator;
  private final ParameterTypes parameters;
  private final List<Row> rows = new ArrayList<>();

  /** Parts without parameters. */
  private final List<SqlNode> others = new ArrayList<>();

  private ColumnParameters(LoamValidator validator, ParameterTypes parameters) {
    this.validator = validator;
    this.parameters = parameters;
  }

  /** Before the operands of UNION, INTERSECT or EXCEPT, or rows of VALUES are validated. */
  static void infer(
      SqlCall query, SqlValidatorScope scope, LoamValidator validator, ParameterTypes parameters) {
    ColumnParameters columns = new ColumnParameters(validator, parameters);
    columns.add(query, scope);
    if (columns.rows.stream().anyMatch(row -> hasParameter(row.items))) {
      columns.infer();
    }
  }

  private void add(SqlNode part, SqlValidatorScope scope) {
    switch (part.getKind()) {
      case UNION, INTERSECT, EXCEPT ->
          ((SqlCall) part).getOperandList().forEach(operand -> add(operand, scope));
      case VALUES -> ((SqlCall) part).getOperandList().forEach(row -> addRow(row, scope));
      case SELECT -> {
        SqlSelect select = (SqlSelect) part;
        List<SqlNode> items = select.getSelectList().stream().map(SqlUtil::stripAs).toList();
        if (hasParameter(items) && items.stream().noneMatch(ColumnParameters::isStar)) {
          rows.add(new Row(items, Objects.requireNonNull(validator.getSelectScope(select))));
        } else {
          others.add(part);
        }
      }
      default -> others.add(part);
    }
  }

  private void addRow(SqlNode row, SqlValidatorScope scope) {
    rows.add(
        new Row(
            row.getKind() == SqlKind.ROW ? ((SqlCall) row).getOperandList() : List.of(row), scope));
  }

  private void infer() {
    List<List<RelDataTypeField>> known =
        others.stream()
            .map(part -> Objects.requireNonNull(validator.getNamespace(part)).getRowType())
            .map(RelDataType::getFieldList)
            .toList();
    int columns = rows.get(0).items.size();
    for (int i = 0; i < columns; i++) {
      int column = i;
      List<Row> given = rows.stream().filter(row -> column < row.items.size()).toList();
      List<RelDataType> types =
          Stream.concat(
                  known.stream()
                      .filter(fields -> column < fields.size())
                      .map(fields -> fields.get(column).getType()),
                  given.stream()
                      .filter(row -> !(row.items.get(column) instanceof SqlDynamicParam))
                      .map(row -> typeOf(row.items.get(column), row.scope)))
              .filter(type -> type.getSqlTypeName() != SqlTypeName.NULL)
              .toList();
      given.forEach(row -> parameters.ofItem(row.items.get(column), types, row.scope));
    }
  }

  private RelDataType typeOf(SqlNode item, SqlValidatorScope scope) {
    if (item instanceof SqlCall call) {
      parameters.infer(call, scope);
    }
    return validator.deriveType(scope, item);
  }

  private static boolean hasParameter(List<SqlNode> items) {
    return items.stream().anyMatch(SqlDynamicParam.class::isInstance);
  }

  private static boolean isStar(SqlNode item) {
    return item instanceof SqlIdentifier name && name.isStar();
  }
}
