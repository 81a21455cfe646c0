package io.loam.calcite.parser;

import java.util.List;
import org.apache.calcite.sql.SqlCreate;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** CREATE TABLE. */
public final class SqlCreateCollection extends SqlCreate {
  private static final SqlOperator OPERATOR =
      new SqlSpecialOperator("CREATE TABLE", SqlKind.CREATE_TABLE);

  private final SqlIdentifier name;
  private final SqlNodeList columns;
  private final SqlNodeList primaryKey;
  private final SqlNodeList options;

  public SqlCreateCollection(
      SqlParserPos pos,
      boolean replace,
      boolean ifNotExists,
      SqlIdentifier name,
      SqlNodeList columns,
      SqlNodeList primaryKey,
      SqlNodeList options) {
    super(OPERATOR, pos, replace, ifNotExists);
    this.name = name;
    this.columns = columns;
    this.primaryKey = primaryKey;
    this.options = options;
  }

  public SqlIdentifier name() {
    return name;
  }

  /** {@link SqlColumnDeclaration}s. */
  public SqlNodeList columns() {
    return columns;
  }

  /** Names of the columns that PRIMARY KEY names, wherever it stands. */
  public SqlNodeList primaryKey() {
    return primaryKey;
  }

  /** Names and values by turns. */
  public SqlNodeList options() {
    return options;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of(name, columns, primaryKey, options);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("CREATE TABLE");
    if (ifNotExists) {
      writer.keyword("IF NOT EXISTS");
    }
    name.unparse(writer, 0, 0);
    SqlWriter.Frame frame = writer.startList("(", ")");
    for (SqlNode column : columns) {
      writer.sep(",");
      column.unparse(writer, 0, 0);
    }
    if (!primaryKey.isEmpty()) {
      writer.sep(",");
      writer.keyword("PRIMARY KEY");
      SqlWriter.Frame key = writer.startList("(", ")");
      for (SqlNode column : primaryKey) {
        writer.sep(",");
        column.unparse(writer, 0, 0);
      }
      writer.endList(key);
    }
    writer.endList(frame);
    if (!options.isEmpty()) {
      writer.keyword("WITH");
      SqlWriter.Frame list = writer.startList("(", ")");
      for (int i = 0; i < options.size(); i += 2) {
        writer.sep(",");
        options.get(i).unparse(writer, 0, 0);
        writer.keyword("=");
        options.get(i + 1).unparse(writer, 0, 0);
      }
      writer.endList(list);
    }
  }
}
