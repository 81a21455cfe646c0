package io.loam.calcite.parser;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** ALTER TABLE. */
public final class SqlAlterCollection extends SqlCall {
  private static final SqlOperator OPERATOR =
      new SqlSpecialOperator("ALTER TABLE", SqlKind.ALTER_TABLE);

  /** What changes. */
  public sealed interface Action {}

  /**
   * ADD COLUMN.
   *
   * @param ifNotExists does nothing if there is a column of the name
   * @param key whether PRIMARY KEY was said
   * @param options of WITH
   */
  public record Add(
      SqlColumnDeclaration column, boolean ifNotExists, boolean key, SqlNodeList options)
      implements Action {}

  /**
   * DROP COLUMN.
   *
   * @param ifExists does nothing if there is no column of the name
   */
  public record Drop(SqlIdentifier column, boolean ifExists) implements Action {}

  /** REINDEX. */
  public record Reindex() implements Action {}

  private final SqlIdentifier table;
  private final Action action;

  private SqlAlterCollection(SqlParserPos pos, SqlIdentifier table, Action action) {
    super(pos);
    this.table = table;
    this.action = action;
  }

  public static SqlAlterCollection add(
      SqlParserPos pos,
      SqlIdentifier table,
      boolean ifNotExists,
      SqlColumnDeclaration column,
      boolean key,
      SqlNodeList options) {
    return new SqlAlterCollection(pos, table, new Add(column, ifNotExists, key, options));
  }

  public static SqlAlterCollection drop(
      SqlParserPos pos, SqlIdentifier table, boolean ifExists, SqlIdentifier column) {
    return new SqlAlterCollection(pos, table, new Drop(column, ifExists));
  }

  public static SqlAlterCollection reindex(SqlParserPos pos, SqlIdentifier table) {
    return new SqlAlterCollection(pos, table, new Reindex());
  }

  public SqlIdentifier table() {
    return table;
  }

  public Action action() {
    return action;
  }

  @Override
  public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of(table);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ALTER TABLE");
    table.unparse(writer, 0, 0);
    if (action instanceof Add add) {
      writer.keyword("ADD COLUMN");
      add.column().unparse(writer, 0, 0);
    } else if (action instanceof Drop drop) {
      writer.keyword("DROP COLUMN");
      drop.column().unparse(writer, 0, 0);
    } else {
      writer.keyword("REINDEX");
    }
  }
}
