package io.loam.calcite.parser;

import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@code <table or function> FOR VERSION AS OF <version>}, and FOR SYSTEM_TIME likewise. It lives
 * from the parser to the rewriter only.
 */
public final class VersionOperator extends SqlSpecialOperator {
  static final VersionOperator VERSION = new VersionOperator("FOR VERSION AS OF");
  static final VersionOperator SYSTEM_TIME = new VersionOperator("FOR SYSTEM_TIME AS OF");

  private VersionOperator(String name) {
    super(name, SqlKind.OTHER, 100);
  }

  /** Called by the parser after FOR VERSION AS OF. */
  public static SqlNode version(SqlParserPos pos, SqlNode table, SqlNode version) {
    return new SqlBasicCall(VERSION, List.of(table, version), pos);
  }

  /** Called by the parser with Calcite's own node for FOR SYSTEM_TIME AS OF. */
  public static SqlNode systemTime(SqlNode snapshot) {
    SqlSnapshot s = (SqlSnapshot) snapshot;
    return new SqlBasicCall(
        SYSTEM_TIME, List.of(s.getTableRef(), s.getPeriod()), s.getParserPosition());
  }

  @Override
  public void unparse(SqlWriter writer, SqlCall call, int leftPrec, int rightPrec) {
    call.operand(0).unparse(writer, 0, 0);
    writer.keyword(getName());
    call.operand(1).unparse(writer, 0, 0);
  }
}
