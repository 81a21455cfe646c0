package io.loam.calcite.parser;

import java.util.Arrays;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** MERGE, with any number of WHEN clauses; Calcite's own has one of each kind. */
public final class SqlMergeInto extends SqlCall {
  private static final SqlOperator OPERATOR =
      new SqlSpecialOperator("MERGE", SqlKind.MERGE) {
        @Override
        public SqlCall createCall(
            @Nullable SqlLiteral quantifier, SqlParserPos pos, @Nullable SqlNode... operands) {
          return new SqlMergeInto(
              pos,
              notNull(operands[0]),
              (SqlIdentifier) operands[1],
              notNull(operands[2]),
              notNull(operands[3]),
              (SqlNodeList) notNull(operands[4]));
        }
      };

  private final SqlNode target;
  private final @Nullable SqlIdentifier alias;
  private final SqlNode source;
  private final SqlNode condition;
  private final SqlNodeList clauses;

  /**
   * A statement as it was parsed.
   *
   * @param clauses each a {@link SqlMergeClause}
   */
  public SqlMergeInto(
      SqlParserPos pos,
      SqlNode target,
      @Nullable SqlIdentifier alias,
      SqlNode source,
      SqlNode condition,
      SqlNodeList clauses) {
    super(pos);
    this.target = target;
    this.alias = alias;
    this.source = source;
    this.condition = condition;
    this.clauses = clauses;
  }

  private static SqlNode notNull(@Nullable SqlNode node) {
    if (node == null) {
      throw new IllegalArgumentException("MERGE without one of its parts");
    }
    return node;
  }

  public SqlNode target() {
    return target;
  }

  public @Nullable SqlIdentifier alias() {
    return alias;
  }

  public SqlNode source() {
    return source;
  }

  public SqlNode condition() {
    return condition;
  }

  /** The WHEN clauses, of which the first that is for a row decides. */
  public List<SqlMergeClause> clauses() {
    return clauses.stream().map(SqlMergeClause.class::cast).toList();
  }

  @Override
  public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return Arrays.asList(target, alias, source, condition, clauses);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("MERGE INTO");
    target.unparse(writer, 0, 0);
    if (alias != null) {
      writer.keyword("AS");
      alias.unparse(writer, 0, 0);
    }
    writer.keyword("USING");
    source.unparse(writer, 0, 0);
    writer.keyword("ON");
    condition.unparse(writer, 0, 0);
    for (SqlNode clause : clauses) {
      clause.unparse(writer, 0, 0);
    }
  }
}
