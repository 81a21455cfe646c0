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

/** CREATE INDEX. */
public final class SqlCreateIndex extends SqlCreate {
  private static final SqlOperator OPERATOR =
      new SqlSpecialOperator("CREATE INDEX", SqlKind.OTHER_DDL);

  private final SqlIdentifier name;
  private final SqlIdentifier table;
  private final SqlIdentifier column;
  private final SqlIdentifier indexKind;
  private final SqlNodeList options;

  /**
   * @param options of WITH
   */
  public SqlCreateIndex(
      SqlParserPos pos,
      boolean replace,
      boolean ifNotExists,
      SqlIdentifier name,
      SqlIdentifier table,
      SqlIdentifier column,
      SqlIdentifier indexKind,
      SqlNodeList options) {
    super(OPERATOR, pos, replace, ifNotExists);
    this.name = name;
    this.table = table;
    this.column = column;
    this.indexKind = indexKind;
    this.options = options;
  }

  public String name() {
    return name.getSimple();
  }

  public SqlIdentifier table() {
    return table;
  }

  public String column() {
    return column.getSimple();
  }

  /** As in {@code USING ivf_sq}. */
  public String indexKind() {
    return indexKind.getSimple();
  }

  public SqlNodeList options() {
    return options;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of(name, table, column, indexKind, options);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("CREATE INDEX");
    if (ifNotExists) {
      writer.keyword("IF NOT EXISTS");
    }
    name.unparse(writer, 0, 0);
    writer.keyword("ON");
    table.unparse(writer, 0, 0);
    SqlWriter.Frame frame = writer.startList("(", ")");
    column.unparse(writer, 0, 0);
    writer.endList(frame);
    writer.keyword("USING");
    indexKind.unparse(writer, 0, 0);
  }
}
