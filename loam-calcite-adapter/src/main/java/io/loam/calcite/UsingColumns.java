package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what Calcite gets wrong: of a column that joins more than two tables by USING it takes
 * the value of the first two only, which may be NULL where one of the joins is RIGHT or FULL.
 */
final class UsingColumns {
  private UsingColumns() {}

  static void check(SqlJoin join) {
    List<String> columns = columns(join);
    if (columns.isEmpty()) {
      return;
    }
    List<SqlJoin> inner = new ArrayList<>();
    collect(join.getLeft(), inner);
    collect(join.getRight(), inner);
    for (SqlJoin other : inner) {
      for (String column : columns(other)) {
        if (columns.contains(column) && (generatesNullsOnTheLeft(join) || generatesNullsOnTheLeft(other))) {
          throw new LoamException(
              ErrorCode.UNSUPPORTED,
              "RIGHT and FULL JOIN of more than two tables cannot share a column in USING: column="
                  + column
                  + "; join them with ON, and select coalesce of their columns");
        }
      }
    }
  }

  private static void collect(SqlNode from, List<SqlJoin> joins) {
    if (from instanceof SqlJoin join) {
      joins.add(join);
      collect(join.getLeft(), joins);
      collect(join.getRight(), joins);
    }
  }

  private static boolean generatesNullsOnTheLeft(SqlJoin join) {
    return join.getJoinType().generatesNullsOnLeft();
  }

  private static List<String> columns(SqlJoin join) {
    @Nullable SqlNode condition = join.getCondition();
    return join.getConditionType() == JoinConditionType.USING
            && condition instanceof SqlNodeList names
        ? names.stream()
            .map(name -> ((SqlIdentifier) name).getSimple().toLowerCase(Locale.ROOT))
            .toList()
        : List.of();
  }
}
