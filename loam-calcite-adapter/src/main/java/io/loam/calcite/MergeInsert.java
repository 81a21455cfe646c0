package io.loam.calcite;

import io.loam.calcite.parser.SqlMergeClause;
import io.loam.calcite.parser.SqlMergeClause.Action;
import io.loam.calcite.parser.SqlMergeInto;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.error.Suggestion;
import io.loam.schema.Field;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * MERGE, as an INSERT of the rows that the source gives when it is joined with the target. For each
 * clause with values a row has a value of each field. Then come the row id of the target's row,
 * NULL where there is none, and the number of the clause that is for the row, NULL if none is.
 * Calcite's own MERGE does not know of columns that a star leaves out.
 */
final class MergeInsert extends SqlInsert {
  private static final SqlParserPos NOWHERE = SqlParserPos.ZERO;
  private static final String CLAUSE = "_clause";

  private final SqlMergeInto merge;

  private MergeInsert(SqlMergeInto merge, SqlSelect rows) {
    super(merge.getParserPosition(), SqlNodeList.EMPTY, merge.target(), rows, null);
    this.merge = merge;
  }

  /** The statement as it was parsed. */
  SqlMergeInto merge() {
    return merge;
  }

  /** What the clauses do, in their order. */
  List<Action> actions() {
    return merge.clauses().stream().map(SqlMergeClause::action).toList();
  }

  static MergeInsert of(SqlMergeInto merge, LoamTable target) {
    SqlIdentifier given = merge.alias();
    String alias =
        given == null ? Util.last(LoamValidator.targetNames(merge.target())) : given.getSimple();
    SqlNode rowId = column(alias, SystemColumns.ROW_ID.sqlName());
    List<SqlNode> items = new ArrayList<>();
    for (SqlMergeClause clause : merge.clauses()) {
      if (clause.action() != Action.DELETE) {
        items.addAll(values(clause, target, alias));
      }
    }
    items.add(rowId);
    items.add(clauseOfRow(merge.clauses(), rowId));
    boolean inserts = merge.clauses().stream().anyMatch(c -> c.action() == Action.INSERT);
    boolean onlyInserts = merge.clauses().stream().allMatch(c -> c.action() == Action.INSERT);
    SqlNode join =
        new SqlJoin(
            merge.getParserPosition(),
            merge.source(),
            SqlLiteral.createBoolean(false, NOWHERE),
            (inserts ? JoinType.LEFT : JoinType.INNER).symbol(NOWHERE),
            SqlValidatorUtil.addAlias(merge.target(), alias),
            JoinConditionType.ON.symbol(NOWHERE),
            merge.condition());
    SqlNode onlyNew = onlyInserts ? SqlStdOperatorTable.IS_NULL.createCall(NOWHERE, rowId) : null;
    return new MergeInsert(merge, select(items, join, onlyNew));
  }

  /**
   * A value of each field: what an update does not set stays, what an insert leaves out is NULL.
   */
  private static List<SqlNode> values(SqlMergeClause clause, LoamTable target, String alias) {
    SqlNodeList columns = clause.columns();
    List<Field> fields = target.schema().fields();
    List<String> names =
        columns == null ? fields.stream().map(Field::name).toList() : names(columns);
    Map<String, SqlNode> values = assigned(names, clause.values(), target);
    return fields.stream()
        .map(
            field ->
                values.getOrDefault(
                    fold(field.name()),
                    clause.action() == Action.UPDATE
                        ? column(alias, field.name())
                        : SqlLiteral.createNull(NOWHERE)))
        .toList();
  }

  /** The number of the first clause that is for the row. */
  private static SqlNode clauseOfRow(List<SqlMergeClause> clauses, SqlNode rowId) {
    SqlNodeList conditions = new SqlNodeList(NOWHERE);
    SqlNodeList numbers = new SqlNodeList(NOWHERE);
    for (int i = 0; i < clauses.size(); i++) {
      SqlMergeClause clause = clauses.get(i);
      SqlOperator matches =
          clause.action() == Action.INSERT
              ? SqlStdOperatorTable.IS_NULL
              : SqlStdOperatorTable.IS_NOT_NULL;
      SqlNode isFor = matches.createCall(NOWHERE, rowId);
      SqlNode condition = clause.condition();
      conditions.add(
          condition == null
              ? isFor
              : SqlStdOperatorTable.AND.createCall(
                  condition.getParserPosition(), isFor, condition));
      numbers.add(SqlLiteral.createExactNumeric(String.valueOf(i), NOWHERE));
    }
    return new SqlCase(NOWHERE, null, conditions, numbers, SqlLiteral.createNull(NOWHERE));
  }

  private static Map<String, SqlNode> assigned(
      List<String> columns, List<SqlNode> values, LoamTable target) {
    if (columns.size() != values.size()) {
      throw new LoamException(
          ErrorCode.SYNTAX_ERROR,
          "MERGE inserts another number of values than of columns: columns=%d, values=%d; give each column one value"
              .formatted(columns.size(), values.size()));
    }
    Map<String, SqlNode> assigned = new HashMap<>();
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
      if (assigned.put(fold(column), values.get(i)) != null) {
        throw new LoamException(
            ErrorCode.DUPLICATE_COLUMN,
            "column is assigned twice: column=" + column + "; assign it once");
      }
    }
    return assigned;
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
  RelDataType rowType(LoamTable target, RelDataTypeFactory types) {
    RelDataTypeFactory.Builder row = types.builder();
    for (Action action : actions()) {
      if (action != Action.DELETE) {
        for (Field field : target.schema().fields()) {
          row.add(field.name(), types.createTypeWithNullability(SqlTypes.of(types, field), true));
        }
      }
    }
    row.add(SystemColumns.ROW_ID.sqlName(), nullable(types, SqlTypeName.BIGINT));
    row.add(CLAUSE, nullable(types, SqlTypeName.INTEGER));
    return row.build();
  }

  private static RelDataType nullable(RelDataTypeFactory types, SqlTypeName name) {
    return types.createTypeWithNullability(types.createSqlType(name), true);
  }

  /**
   * The rows, where the values of a clause are computed only if it is for the row. What it guards
   * against, such as division by zero, is then no error.
   */
  static RelNode computedWhereNeeded(RelNode rows, List<Action> actions, List<Field> fields) {
    if (!(rows instanceof Project project)) {
      throw new IllegalStateException("rows of MERGE are no projection: " + rows);
    }
    RexBuilder builder = rows.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>(project.getProjects());
    RexNode clauseOfRow = Util.last(columns);
    int next = 0;
    for (int clause = 0; clause < actions.size(); clause++) {
      if (actions.get(clause) == Action.DELETE) {
        continue;
      }
      RexNode isFor =
          builder.makeCall(
              SqlStdOperatorTable.EQUALS,
              clauseOfRow,
              builder.makeExactLiteral(BigDecimal.valueOf(clause), clauseOfRow.getType()));
      for (Field field : fields) {
        RexNode value = ColumnCasts.without(columns.get(next), field, builder.getTypeFactory());
        columns.set(next, value);
        if (!(value instanceof RexInputRef || value instanceof RexLiteral)) {
          RelDataType type =
              builder.getTypeFactory().createTypeWithNullability(value.getType(), true);
          columns.set(
              next,
              builder.makeCall(
                  type,
                  SqlStdOperatorTable.CASE,
                  List.of(isFor, value, builder.makeNullLiteral(type))));
        }
        next++;
      }
    }
    return LogicalProject.create(
        project.getInput(), project.getHints(), columns, (List<String>) null, Set.of());
  }
}
