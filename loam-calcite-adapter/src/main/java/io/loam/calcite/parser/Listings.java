package io.loam.calcite.parser;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** SHOW TABLES, DESCRIBE and TABLE as the queries that they stand for. */
public final class Listings {
  /** The system table of a schema's tables. */
  public static final String TABLES = "$tables";

  /** What follows a table's name in that of the system table of its columns. */
  public static final String COLUMNS = "$columns";

  private Listings() {}

  /** {@code SHOW TABLES [FROM schema] [LIKE pattern]}. */
  public static SqlNode tables(
      SqlParserPos pos, @Nullable SqlIdentifier schema, @Nullable SqlNode pattern) {
    List<String> names = new ArrayList<>();
    if (schema != null) {
      names.add(schema.getSimple());
    }
    names.add(TABLES);
    return select(
        new SqlIdentifier(names, pos),
        pattern == null ? null : comparison(SqlStdOperatorTable.LIKE, "table_name", pattern, pos));
  }

  /**
   * {@code DESCRIBE table [column]}.
   *
   * @param column as text, or null for all
   */
  public static SqlNode columns(SqlIdentifier table, @Nullable SqlNode column) {
    int last = table.names.size() - 1;
    SqlParserPos pos = table.getParserPosition();
    return select(
        table.setName(last, table.names.get(last) + COLUMNS),
        column == null ? null : comparison(SqlStdOperatorTable.EQUALS, "column_name", column, pos));
  }

  /** {@code TABLE table}. */
  public static SqlNode rows(SqlNode explicitTable) {
    return select(((SqlCall) explicitTable).operand(0), null);
  }

  private static SqlNode comparison(
      SqlOperator operator, String column, SqlNode value, SqlParserPos pos) {
    SqlNode lower = SqlStdOperatorTable.LOWER.createCall(pos, new SqlIdentifier(column, pos));
    return operator.createCall(pos, lower, SqlStdOperatorTable.LOWER.createCall(pos, value));
  }

  private static SqlNode select(SqlNode table, @Nullable SqlNode condition) {
    SqlParserPos pos = table.getParserPosition();
    return new SqlSelect(
        pos,
        null,
        SqlNodeList.of(SqlIdentifier.star(pos)),
        table,
        condition,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
