package io.loam.calcite;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the places in FROM that read a query of WITH, and gives them that query's own spelling:
 * Calcite finds no other.
 */
final class WithReferences extends SqlBasicVisitor<@Nullable Void> {
  private final String query;
  private boolean found;

  private WithReferences(String query) {
    this.query = query;
  }

  /** Gives the query's spelling to what reads it in a part of a statement. */
  static void spell(SqlNode part, String query) {
    part.accept(new WithReferences(query));
  }

  /** Likewise; whether a part of a statement reads the query. */
  static boolean in(SqlNode part, String query) {
    WithReferences references = new WithReferences(query);
    part.accept(references);
    return references.found;
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call instanceof SqlSelect select && select.getFrom() != null) {
      from(select.getFrom());
    }
    return super.visit(call);
  }

  private void from(SqlNode from) {
    switch (from.getKind()) {
      case JOIN -> {
        from(((SqlJoin) from).getLeft());
        from(((SqlJoin) from).getRight());
      }
      case AS, TABLE_REF, LATERAL -> from(((SqlCall) from).operand(0));
      case IDENTIFIER -> {
        SqlIdentifier name = (SqlIdentifier) from;
        if (name.isSimple() && name.getSimple().equalsIgnoreCase(query)) {
          found = true;
          name.setNames(List.of(query), null);
        }
      }
      default -> {}
    }
  }
}
