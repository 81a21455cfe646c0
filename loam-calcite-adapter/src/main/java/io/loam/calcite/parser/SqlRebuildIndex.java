package io.loam.calcite.parser;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** ALTER INDEX … REBUILD. */
public final class SqlRebuildIndex extends SqlCall {
  private static final SqlOperator OPERATOR =
      new SqlSpecialOperator("ALTER INDEX", SqlKind.ALTER_INDEX);

  private final SqlIdentifier name;
  private final SqlIdentifier table;

  public SqlRebuildIndex(SqlParserPos pos, SqlIdentifier name, SqlIdentifier table) {
    super(pos);
    this.name = name;
    this.table = table;
  }

  public String name() {
    return name.getSimple();
  }

  public SqlIdentifier table() {
    return table;
  }

  @Override
  public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of(name, table);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ALTER INDEX");
    name.unparse(writer, 0, 0);
    writer.keyword("ON");
    table.unparse(writer, 0, 0);
    writer.keyword("REBUILD");
  }
}
