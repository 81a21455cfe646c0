package io.loam.calcite;

import io.loam.calcite.parser.Chains;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a FROM, where those that joins share in USING are one.
 *
 * @param merged what each column of USING stands for, by its name in lower case
 * @param all what star stands for; nothing where a part of FROM tells its columns only later
 * @param chained whether a join shares a column with one within it
 * @param tables whether a part of FROM has more columns than star gives
 */
record JoinedColumns(
    Map<String, SqlNode> merged, Optional<List<Column>> all, boolean chained, boolean tables) {

  /** A column under its name. */
  record Column(String name, SqlNode value) {
    String key() {
      return name.toLowerCase(Locale.ROOT);
    }
  }

  /** Turns NATURAL into USING, and USING into ON, whose columns are those of the result. */
  static JoinedColumns resolve(SqlNode from, StarNames names) {
    if (!(from instanceof SqlJoin join)) {
      return ofItem(from, names);
    }
    JoinedColumns left = resolve(join.getLeft(), names);
    JoinedColumns right = resolve(join.getRight(), names);
    if (join.isNatural()) {
      makeUsing(join, left, right);
    }
    List<String> using = using(join);
    Map<String, SqlNode> merged = new LinkedHashMap<>(left.merged);
    merged.putAll(right.merged);
    List<SqlNode> conditions = new ArrayList<>();
    boolean chained = left.chained || right.chained;
    for (String name : using) {
      SqlNode a = left.value(name, join.getLeft());
      SqlNode b = right.value(name, join.getRight());
      if (a == null || b == null) {
        return new JoinedColumns(Map.of(), Optional.empty(), false, false); // left to Calcite
      }
      chained |= left.merged.containsKey(name) || right.merged.containsKey(name);
      merged.put(name, merged(join.getJoinType(), a, b));
      conditions.add(SqlStdOperatorTable.EQUALS.createCall(join.getParserPosition(), a, b));
    }
    Optional<List<Column>> all =
        left.all.flatMap(l -> right.all.map(r -> together(using, merged, l, r)));
    if (!using.isEmpty() && (all.isPresent() || chained)) {
      join.setOperand(4, JoinConditionType.ON.symbol(SqlParserPos.ZERO));
      join.setOperand(5, Chains.balanced(SqlStdOperatorTable.AND, conditions));
    }
    return new JoinedColumns(merged, all, chained, left.tables || right.tables);
  }

  private static JoinedColumns ofItem(SqlNode item, StarNames names) {
    Optional<List<Column>> all =
        alias(item)
            .flatMap(
                alias ->
                    names
                        .of(item)
                        .map(
                            known ->
                                known.stream()
                                    .map(name -> new Column(name, column(alias, name)))
                                    .toList()));
    return new JoinedColumns(Map.of(), all, false, names.isTable(item));
  }

  /** What are shared come first, as the standard has it. */
  private static List<Column> together(
      List<String> using, Map<String, SqlNode> merged, List<Column> left, List<Column> right) {
    List<Column> all = new ArrayList<>();
    for (String name : using) {
      left.stream()
          .filter(column -> column.key().equals(name))
          .findFirst()
          .ifPresent(column -> all.add(new Column(column.name, merged.get(name))));
    }
    left.stream().filter(column -> !using.contains(column.key())).forEach(all::add);
    right.stream().filter(column -> !using.contains(column.key())).forEach(all::add);
    return all;
  }

  /** The value of a column on this side of a join, or null where it cannot be told. */
  private @Nullable SqlNode value(String name, SqlNode side) {
    if (merged.containsKey(name)) {
      return merged.get(name);
    }
    if (all.isPresent()) {
      List<Column> found = all.get().stream().filter(c -> c.key().equals(name)).toList();
      if (found.size() > 1) {
        throw new LoamException(
            ErrorCode.SYNTAX_ERROR,
            "column of USING or NATURAL is in several tables on one side of the join: column="
                + name
                + "; join them with ON");
      }
      return found.isEmpty() ? null : found.get(0).value;
    }
    return side instanceof SqlJoin ? null : alias(side).map(a -> column(a, name)).orElse(null);
  }

  private static SqlNode column(String alias, String name) {
    return new SqlIdentifier(List.of(alias, name), SqlParserPos.ZERO);
  }

  private static SqlNode merged(JoinType type, SqlNode left, SqlNode right) {
    return switch (type) {
      case RIGHT -> right;
      case FULL -> SqlStdOperatorTable.COALESCE.createCall(SqlParserPos.ZERO, left, right);
      default -> left;
    };
  }

  private static List<String> using(SqlJoin join) {
    return join.getConditionType() == JoinConditionType.USING
            && join.getCondition() instanceof SqlNodeList names
        ? names.stream()
            .map(name -> ((SqlIdentifier) name).getSimple().toLowerCase(Locale.ROOT))
            .toList()
        : List.of();
  }

  private static Optional<String> alias(SqlNode item) {
    if (item.getKind() == SqlKind.AS) {
      return Optional.of(((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple());
    }
    return item instanceof SqlIdentifier id ? Optional.of(Util.last(id.names)) : Optional.empty();
  }

  /** Calcite's NATURAL would join by system columns, too. */
  private static void makeUsing(SqlJoin join, JoinedColumns left, JoinedColumns right) {
    if (left.all.isEmpty() || right.all.isEmpty()) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "NATURAL JOIN is of tables and searches that have a name; name the columns in USING");
    }
    List<String> others = right.all.get().stream().map(Column::key).toList();
    SqlNodeList common = new SqlNodeList(join.getParserPosition());
    for (Column column : left.all.get()) {
      if (others.contains(column.key())) {
        common.add(new SqlIdentifier(column.name, join.getParserPosition()));
      }
    }
    if (common.isEmpty()) {
      throw new LoamException(
          ErrorCode.SYNTAX_ERROR,
          "NATURAL JOIN of tables without a column of the same name: line="
              + join.getParserPosition().getLineNum()
              + ", column="
              + join.getParserPosition().getColumnNum()
              + "; join them with ON, or CROSS JOIN");
    }
    join.setOperand(1, SqlLiteral.createBoolean(false, SqlParserPos.ZERO));
    join.setOperand(4, JoinConditionType.USING.symbol(SqlParserPos.ZERO));
    join.setOperand(5, common);
  }
}
