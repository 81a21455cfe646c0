package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.error.Suggestion;
import io.loam.schema.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMerge;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * MERGE, as an INSERT of the rows that the source gives when it is joined with the target. A row
 * has a value of each field for an insert, one of each for an update, and the row id of the
 * target's row, NULL where there is none. Calcite's own MERGE does not know of columns that a star
 * leaves out.
 */
final class MergeInsert extends SqlInsert {
  private static final SqlParserPos NOWHERE = SqlParserPos.ZERO;

  private final SqlMerge merge;

  private MergeInsert(SqlMerge merge, SqlSelect rows) {
    super(merge.getParserPosition(), SqlNodeList.EMPTY, merge.getTargetTable(), rows, null);
    this.merge = merge;
  }

  /** The statement as it was parsed. */
  SqlMerge merge() {
    return merge;
  }

  static MergeInsert of(SqlMerge merge, LoamTable target) {
    String alias =
        merge.getAlias() == null
            ? Util.last(LoamValidator.targetNames(merge.getTargetTable()))
            : merge.getAlias().getSimple();
    List<SqlNode> items = new ArrayList<>(inserted(merge.getInsertCall(), target));
    items.addAll(updated(merge.getUpdateCall(), target, alias));
    SqlNode rowId = column(alias, SystemColumns.ROW_ID.sqlName());
    items.add(rowId);
    SqlNode join =
        new SqlJoin(
            merge.getParserPosition(),
            merge.getSourceTableRef(),
            SqlLiteral.createBoolean(false, NOWHERE),
            (merge.getInsertCall() == null ? JoinType.INNER : JoinType.LEFT).symbol(NOWHERE),
            SqlValidatorUtil.addAlias(merge.getTargetTable(), alias),
            JoinConditionType.ON.symbol(NOWHERE),
            merge.getCondition());
    SqlNode onlyNew =
        merge.getUpdateCall() == null
            ? SqlStdOperatorTable.IS_NULL.createCall(NOWHERE, rowId)
            : null;
    return new MergeInsert(merge, select(items, join, onlyNew));
  }

  private static List<SqlNode> inserted(@Nullable SqlInsert insert, LoamTable target) {
    Map<String, SqlNode> values = new HashMap<>();
    if (insert != null) {
      SqlNodeList columns = insert.getTargetColumnList();
      List<String> names =
          columns == null
              ? target.schema().fields().stream().map(Field::name).toList()
              : names(columns);
      List<SqlNode> row = ((SqlCall) ((SqlCall) insert.getSource()).operand(0)).getOperandList();
      assign(names, row, target, values);
    }
    return target.schema().fields().stream()
        .map(f -> values.getOrDefault(fold(f.name()), SqlLiteral.createNull(NOWHERE)))
        .toList();
  }

  private static List<SqlNode> updated(@Nullable SqlUpdate update, LoamTable target, String alias) {
    Map<String, SqlNode> values = new HashMap<>();
    if (update != null) {
      assign(names(update.getTargetColumnList()), update.getSourceExpressionList(), target, values);
    }
    return target.schema().fields().stream()
        .map(f -> values.getOrDefault(fold(f.name()), column(alias, f.name())))
        .toList();
  }

  private static void assign(
      List<String> columns, List<SqlNode> values, LoamTable target, Map<String, SqlNode> into) {
    if (columns.size() != values.size()) {
      throw new LoamException(
          ErrorCode.SYNTAX_ERROR,
          "MERGE inserts another number of values than of columns: columns=%d, values=%d; give each column one value"
              .formatted(columns.size(), values.size()));
    }
    for (int i = 0; i < values.size(); i++) {
      String column = columns.get(i);
      if (target.schema().find(column).isEmpty()) {
        throw new LoamException(
            ErrorCode.UNKNOWN_COLUMN,
            "unknown column: column=%s, table=%s%s"
                .formatted(
                    column,
                    target.name(),
                    Suggestion.mend(
                        column, target.schema().fields().stream().map(Field::name).toList())));
      }
      if (into.put(fold(column), values.get(i)) != null) {
        throw new LoamException(
            ErrorCode.DUPLICATE_COLUMN,
            "column is assigned twice: column=" + column + "; assign it once");
      }
    }
  }

  private static List<String> names(SqlNodeList columns) {
    return columns.stream().map(c -> Util.last(((SqlIdentifier) c).names)).toList();
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static SqlNode column(String alias, String name) {
    return new SqlIdentifier(List.of(alias, name), NOWHERE);
  }

  private static SqlSelect select(List<SqlNode> items, SqlNode from, @Nullable SqlNode where) {
    return new SqlSelect(
        NOWHERE,
        null,
        new SqlNodeList(items, NOWHERE),
        from,
        where,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** The types of the rows' columns, all of which may be NULL here. */
  static RelDataType rowType(LoamTable target, RelDataTypeFactory types) {
    RelDataTypeFactory.Builder row = types.builder();
    for (int use = 0; use < 2; use++) {
      for (Field field : target.schema().fields()) {
        row.add(field.name(), types.createTypeWithNullability(SqlTypes.of(types, field), true));
      }
    }
    row.add(
        SystemColumns.ROW_ID.sqlName(),
        types.createTypeWithNullability(types.createSqlType(SqlTypeName.BIGINT), true));
    return row.build();
  }
}
