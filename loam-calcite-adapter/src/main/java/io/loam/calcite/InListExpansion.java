package io.loam.calcite;

import com.google.common.collect.ImmutableList;
import io.loam.schema.SchemaBuilder;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Turns what {@link InList}s no scan took into what Calcite computes: a subquery over the values,
 * which becomes a join, or comparisons where not all values are literals of one type.
 */
final class InListExpansion {
  private InListExpansion() {}

  /** The same tree without {@link InList}s. */
  static RelNode expand(RelNode rel) {
    return rel.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode other) {
            RelNode visited = super.visit(other);
            return visited.accept(new Expansion(visited));
          }
        });
  }

  private static final class Expansion extends RexShuttle {
    private final RelNode rel;
    private final RexBuilder rexBuilder;

    Expansion(RelNode rel) {
      this.rel = rel;
      this.rexBuilder = rel.getCluster().getRexBuilder();
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexNode visited = super.visitCall(call);
      return visited instanceof RexCall in && in.getOperator().equals(InList.OPERATOR)
          ? expand(in.getOperands().get(0), in.getOperands().subList(1, in.getOperands().size()))
          : visited;
    }

    private RexNode expand(RexNode compared, List<RexNode> values) {
      RelDataType type = commonType(compared, values);
      return type == null ? comparisons(compared, values) : subQuery(compared, values, type);
    }

    /** The type that the compared expression and all values have in common, if literals have it. */
    private @Nullable RelDataType commonType(RexNode compared, List<RexNode> values) {
      RelDataTypeFactory types = rexBuilder.getTypeFactory();
      RelDataType type = compared.getType();
      for (RexNode value : values) {
        if (!(value instanceof RexLiteral literal)) {
          return null;
        }
        if (!literal.isNull()) {
          if (literal.getType().getSqlTypeName().getFamily()
              != compared.getType().getSqlTypeName().getFamily()) {
            return null;
          }
          type = types.leastRestrictive(List.of(type, literal.getType()));
          if (type == null) {
            return null;
          }
        }
      }
      return types.createTypeWithNullability(
          SqlTypeUtil.isCharacter(type) ? types.createSqlType(SqlTypeName.VARCHAR) : type, false);
    }

    private RexNode subQuery(RexNode compared, List<RexNode> values, RelDataType type) {
      boolean nullable = values.stream().anyMatch(v -> ((RexLiteral) v).isNull());
      RelDataType valueType = rexBuilder.getTypeFactory().createTypeWithNullability(type, nullable);
      ImmutableList.Builder<ImmutableList<RexLiteral>> rows = ImmutableList.builder();
      for (RexNode value : values) {
        rows.add(ImmutableList.of(literal((RexLiteral) value, type, valueType)));
      }
      RelDataType rowType = rexBuilder.getTypeFactory().builder().add("value", valueType).build();
      return RexSubQuery.in(
          LogicalValues.create(rel.getCluster(), rowType, rows.build()),
          ImmutableList.of(
              rexBuilder.ensureType(
                  rexBuilder
                      .getTypeFactory()
                      .createTypeWithNullability(type, compared.getType().isNullable()),
                  compared,
                  true)));
    }

    private RexLiteral literal(RexLiteral value, RelDataType type, RelDataType nullable) {
      return value.isNull()
          ? rexBuilder.makeNullLiteral(nullable)
          : rexBuilder.makeLiteral(value.getValue(), type);
    }

    private RexNode comparisons(RexNode compared, List<RexNode> values) {
      List<RexNode> all = new ArrayList<>(values.size());
      for (RexNode value : values) {
        RexNode comparable =
            SqlTypeUtil.isCharacter(value.getType()) && !SqlTypeUtil.isCharacter(compared.getType())
                ? rexBuilder.makeCast(comparable(compared.getType()), value)
                : value;
        all.add(rexBuilder.makeCall(SqlStdOperatorTable.EQUALS, compared, comparable));
      }
      return RexUtil.composeDisjunction(rexBuilder, all);
    }

    /** A type in which texts are compared with values of a type: decimals keep their digits. */
    private RelDataType comparable(RelDataType type) {
      RelDataTypeFactory types = rexBuilder.getTypeFactory();
      return type.getSqlTypeName() == SqlTypeName.DECIMAL
          ? types.createTypeWithNullability(
              types.createSqlType(
                  SqlTypeName.DECIMAL,
                  SchemaBuilder.MAX_DECIMAL_DIGITS,
                  SchemaBuilder.MAX_DECIMAL_DIGITS / 2),
              type.isNullable())
          : type;
    }
  }
}
