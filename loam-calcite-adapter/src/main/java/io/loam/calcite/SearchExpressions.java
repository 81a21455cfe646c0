package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Gives {@code match} and {@code highlight} what they must know of their column, and {@code score}
 * the scan whose matches it is the score of.
 */
final class SearchExpressions extends RelHomogeneousShuttle {
  private SearchExpressions() {}

  static RelNode resolve(RelNode rel) {
    return rel.accept(new SearchExpressions());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode visited = super.visit(other);
    RelNode resolved =
        visited.accept(
            new Resolver(
                visited.getCluster().getRexBuilder(),
                node -> ColumnOrigins.ofInput(visited, node).map(ColumnOrigins.Origin::field)) {
              @Override
              public RexNode visitSubQuery(RexSubQuery query) {
                return super.visitSubQuery(query.clone(resolve(query.rel)));
              }
            });
    return ScoreBinding.bind(resolved);
  }

  /** An expression over columns that {@code columns} knows. */
  static RexNode resolve(RexNode node, RexBuilder rexBuilder, MatchQuery.Columns columns) {
    return node.accept(new Resolver(rexBuilder, columns));
  }

  private static class Resolver extends RexShuttle {
    private final RexBuilder rexBuilder;
    private final MatchQuery.Columns columns;

    Resolver(RexBuilder rexBuilder, MatchQuery.Columns columns) {
      this.rexBuilder = rexBuilder;
      this.columns = columns;
    }

    @Override
    public RexNode visitCall(RexCall original) {
      RexNode visited = super.visitCall(original);
      if (!(visited instanceof RexCall call)) {
        return visited;
      }
      if (call.getOperator().equals(TextFunctions.MATCH)) {
        return rexBuilder.makeCall(
            call.getType(), TextFunctions.MATCH_TEXT, operands(call, text("simple")));
      }
      if (call.getOperator().equals(TextFunctions.HIGHLIGHT)) {
        return rexBuilder.makeCall(
            call.getType(),
            TextFunctions.HIGHLIGHT_TEXT,
            operands(call, text("<b>"), text("</b>"), whole(0)));
      }
      return call;
    }

    /** All operands, defaults in place of those left out, then the column's analyzer and name. */
    private List<RexNode> operands(RexCall call, RexNode... defaults) {
      Optional<Field> named = columns.find(call.getOperands().get(0));
      Optional<Field> field = named.filter(f -> f.kind() == TypeKind.TEXT);
      String function = call.getOperator().getName().toLowerCase(Locale.ROOT);
      if (field.isEmpty()) {
        throw new LoamException(
            ErrorCode.TYPE_MISMATCH,
            function
                + ": first argument is not a TEXT column of a table: argument="
                + named.map(f -> f.name() + ", type=" + f.type()).orElse("an expression")
                + "; name such a column");
      }
      List<RexNode> operands = new ArrayList<>(call.getOperands());
      int given = operands.size() - 2;
      operands.addAll(List.of(defaults).subList(given, defaults.length));
      operands.add(text(field.get().analyzer()));
      operands.add(text(field.get().name()));
      return operands;
    }

    private RexNode text(String value) {
      RelDataTypeFactory types = rexBuilder.getTypeFactory();
      return rexBuilder.makeLiteral(value, types.createSqlType(SqlTypeName.VARCHAR), true);
    }

    private RexNode whole(int value) {
      RelDataTypeFactory types = rexBuilder.getTypeFactory();
      return rexBuilder.makeLiteral(value, types.createSqlType(SqlTypeName.INTEGER), true);
    }
  }
}
