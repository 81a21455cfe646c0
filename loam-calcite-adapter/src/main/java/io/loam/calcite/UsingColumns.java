package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Gives a column that tables are joined by in USING, or NATURAL, its value wherever it stands
 * without its table's name. Calcite knows it in the list of SELECT only, and of more than two
 * tables takes the first two, which may be NULL where a join is RIGHT or FULL.
 */
final class UsingColumns {
  private UsingColumns() {}

  /** Changes a SELECT, and what it is sorted by, in place. */
  static void resolve(SqlSelect select, @Nullable SqlNodeList order, StarNames names) {
    SqlNode from = select.getFrom();
    if (from == null || !shares(from)) {
      return;
    }
    JoinedColumns joined = JoinedColumns.resolve(from, names);
    Map<String, SqlNode> merged = joined.merged();
    Map<String, SqlNode> unnamed = new TreeMap<>(merged);
    for (SqlNode item : select.getSelectList()) {
      if (item.getKind() == SqlKind.AS) {
        unnamed.remove(((SqlCall) item).operand(1).toString().toLowerCase(Locale.ROOT));
      }
    }
    Replacing everywhere = new Replacing(merged);
    select.setSelectList(items(select.getSelectList(), joined, everywhere));
    select.setWhere(everywhere.orNull(select.getWhere()));
    // Names that the list gives come first there.
    Replacing outside = new Replacing(unnamed);
    select.setGroupBy((SqlNodeList) outside.orNull(select.getGroup()));
    select.setHaving(outside.orNull(select.getHaving()));
    select.setQualify(outside.orNull(select.getQualify()));
    if (order != null) {
      for (int i = 0; i < order.size(); i++) {
        order.set(i, outside.of(order.get(i)));
      }
    }
  }

  private static boolean shares(SqlNode from) {
    return from instanceof SqlJoin join
        && (join.isNatural()
            || join.getConditionType() == JoinConditionType.USING
            || shares(join.getLeft())
            || shares(join.getRight()));
  }

  private static SqlNodeList items(SqlNodeList list, JoinedColumns joined, Replacing replacing) {
    SqlNodeList items = new SqlNodeList(list.getParserPosition());
    for (SqlNode item : list) {
      if (!(item instanceof SqlIdentifier id)) {
        items.add(replacing.of(item));
      } else if (id.isStar() && id.names.size() == 1) {
        addAll(joined, id, items);
      } else {
        SqlNode value = replacing.of(id);
        items.add(value == id ? id : named(value, id));
      }
    }
    return items;
  }

  private static void addAll(JoinedColumns joined, SqlIdentifier star, SqlNodeList items) {
    if (joined.all().isPresent()) {
      for (JoinedColumns.Column column : joined.all().get()) {
        items.add(
            named(column.value(), new SqlIdentifier(column.name(), star.getParserPosition())));
      }
    } else if (joined.chained() || joined.tables()) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED,
          "star is not supported of a table and a query that share a column in USING or NATURAL:"
              + " line="
              + star.getParserPosition().getLineNum()
              + ", column="
              + star.getParserPosition().getColumnNum()
              + "; name the columns, or join with ON");
    } else {
      items.add(star);
    }
  }

  private static SqlNode named(SqlNode value, SqlIdentifier name) {
    return SqlStdOperatorTable.AS.createCall(
        name.getParserPosition(), value.clone(name.getParserPosition()), name);
  }

  /** Puts the values in place of the names, but not in the queries within. */
  private static final class Replacing extends SqlShuttle {
    private final Map<String, SqlNode> values;

    Replacing(Map<String, SqlNode> values) {
      this.values = values;
    }

    @Nullable SqlNode orNull(@Nullable SqlNode node) {
      return node == null ? null : of(node);
    }

    SqlNode of(SqlNode node) {
      SqlNode replaced = node.accept(this);
      return replaced == null ? node : replaced;
    }

    @Override
    public SqlNode visit(SqlIdentifier id) {
      SqlNode value = id.isSimple() ? values.get(id.getSimple().toLowerCase(Locale.ROOT)) : null;
      return value == null ? id : value.clone(id.getParserPosition());
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
      if (call.getKind().belongsTo(SqlKind.QUERY)) {
        return call;
      }
      if (call.getKind() == SqlKind.AS) {
        List<SqlNode> operands = new ArrayList<>(call.getOperandList());
        operands.set(0, of(operands.get(0)));
        return call.getOperator().createCall(call.getParserPosition(), operands);
      }
      return super.visit(call);
    }
  }
}
