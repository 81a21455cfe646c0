package io.loam.calcite.parser;

import java.util.Arrays;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** What a MERGE does with the rows that one of its WHEN clauses is for. */
public final class SqlMergeClause extends SqlCall {
  /** What happens to a row; only rows of the source that match none are inserted. */
  public enum Action {
    INSERT,
    UPDATE,
    DELETE
  }

  private static final class Operator extends SqlSpecialOperator {
    private final Action action;

    Operator(Action action) {
      super("WHEN " + action, SqlKind.OTHER);
      this.action = action;
    }

    @Override
    public SqlCall createCall(
        @Nullable SqlLiteral quantifier, SqlParserPos pos, @Nullable SqlNode... operands) {
      return new SqlMergeClause(
          pos, this, operands[0], (SqlNodeList) operands[1], (SqlNodeList) operands[2]);
    }
  }

  private final Operator operator;
  private final @Nullable SqlNode condition;
  private final @Nullable SqlNodeList columns;
  private final @Nullable SqlNodeList values;

  private SqlMergeClause(
      SqlParserPos pos,
      Operator operator,
      @Nullable SqlNode condition,
      @Nullable SqlNodeList columns,
      @Nullable SqlNodeList values) {
    super(pos);
    this.operator = operator;
    this.condition = condition;
    this.columns = columns;
    this.values = values;
  }

  public static SqlMergeClause update(
      SqlParserPos pos, @Nullable SqlNode condition, SqlNodeList columns, SqlNodeList values) {
    return new SqlMergeClause(pos, new Operator(Action.UPDATE), condition, columns, values);
  }

  /**
   * A clause that inserts.
   *
   * @param columns those that the values are for; if null, the declared ones
   */
  public static SqlMergeClause insert(
      SqlParserPos pos, @Nullable SqlNode condition, @Nullable SqlNodeList columns, SqlNode row) {
    SqlNodeList values = new SqlNodeList(((SqlCall) row).getOperandList(), row.getParserPosition());
    return new SqlMergeClause(pos, new Operator(Action.INSERT), condition, columns, values);
  }

  public static SqlMergeClause delete(SqlParserPos pos, @Nullable SqlNode condition) {
    return new SqlMergeClause(pos, new Operator(Action.DELETE), condition, null, null);
  }

  public Action action() {
    return operator.action;
  }

  /** Which of the rows are meant, or null for all. */
  public @Nullable SqlNode condition() {
    return condition;
  }

  /** The columns that get values, or null for the declared ones. */
  public @Nullable SqlNodeList columns() {
    return columns;
  }

  /** A value of each column; none if rows are deleted. */
  public List<SqlNode> values() {
    return values == null ? List.of() : values;
  }

  @Override
  public SqlOperator getOperator() {
    return operator;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return Arrays.asList(condition, columns, values);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.newlineAndIndent();
    writer.keyword(action() == Action.INSERT ? "WHEN NOT MATCHED" : "WHEN MATCHED");
    if (condition != null) {
      writer.keyword("AND");
      condition.unparse(writer, 0, 0);
    }
    writer.keyword("THEN " + action());
    if (columns != null) {
      columns.unparse(writer, 1, 1);
    }
    if (values != null) {
      writer.keyword("VALUES");
      values.unparse(writer, 1, 1);
    }
  }
}
