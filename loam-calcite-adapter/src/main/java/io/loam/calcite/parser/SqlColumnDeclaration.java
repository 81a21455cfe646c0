package io.loam.calcite.parser;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.ImmutableNullableList;
import org.jspecify.annotations.Nullable;

/** A column of CREATE TABLE: name, type, nullability and analyzer. */
public final class SqlColumnDeclaration extends SqlCall {
  private static final SqlOperator OPERATOR =
      new SqlSpecialOperator("COLUMN_DECL", SqlKind.COLUMN_DECL);

  private final SqlIdentifier name;
  private final SqlDataTypeSpec type;
  private final boolean nullable;
  private final @Nullable SqlNode analyzer;

  public SqlColumnDeclaration(
      SqlParserPos pos,
      SqlIdentifier name,
      SqlDataTypeSpec type,
      boolean nullable,
      @Nullable SqlNode analyzer) {
    super(pos);
    this.name = name;
    this.type = type;
    this.nullable = nullable;
    this.analyzer = analyzer;
  }

  public SqlIdentifier name() {
    return name;
  }

  public SqlDataTypeSpec type() {
    return type;
  }

  public boolean nullable() {
    return nullable;
  }

  /** The literal after ANALYZER, or null. */
  public @Nullable SqlNode analyzer() {
    return analyzer;
  }

  @Override
  public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return ImmutableNullableList.of(name, type, analyzer);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    name.unparse(writer, 0, 0);
    type.unparse(writer, 0, 0);
    if (!nullable) {
      writer.keyword("NOT NULL");
    }
    if (analyzer != null) {
      writer.keyword("ANALYZER");
      analyzer.unparse(writer, 0, 0);
    }
  }
}
