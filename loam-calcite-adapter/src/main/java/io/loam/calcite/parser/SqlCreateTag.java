package io.loam.calcite.parser;

import io.loam.query.VersionSpec;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCreate;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** CREATE TAG. */
public final class SqlCreateTag extends SqlCreate {
  private static final SqlOperator OPERATOR =
      new SqlSpecialOperator("CREATE TAG", SqlKind.OTHER_DDL);

  private final SqlIdentifier name;
  private final SqlNode versioned;

  /**
   * @param versioned the table's name, or a call of {@link VersionOperator} on it
   */
  public SqlCreateTag(SqlParserPos pos, boolean replace, SqlIdentifier name, SqlNode versioned) {
    super(OPERATOR, pos, replace, false);
    this.name = name;
    this.versioned = versioned;
  }

  public String name() {
    return name.getSimple();
  }

  public SqlIdentifier table() {
    return versioned instanceof SqlCall call ? call.operand(0) : (SqlIdentifier) versioned;
  }

  public VersionSpec version() {
    return versioned instanceof SqlCall call ? Versions.of(call) : new VersionSpec.Latest();
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of(name, versioned);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("CREATE TAG");
    name.unparse(writer, 0, 0);
    writer.keyword("ON");
    versioned.unparse(writer, 0, 0);
  }
}
