package io.loam.calcite;

import com.google.common.collect.ImmutableList;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.BuiltInMethod;
import org.jspecify.annotations.Nullable;

/** Many rows of literals, given to generated code as they are: written out, they are too long. */
final class LoamValues extends Values implements EnumerableRel {
  private static final int FEWEST_ROWS = 100;

  private static final Set<SqlTypeName> TYPES =
      Set.of(
          SqlTypeName.BOOLEAN,
          SqlTypeName.INTEGER,
          SqlTypeName.BIGINT,
          SqlTypeName.REAL,
          SqlTypeName.FLOAT,
          SqlTypeName.DOUBLE,
          SqlTypeName.DECIMAL,
          SqlTypeName.CHAR,
          SqlTypeName.VARCHAR,
          SqlTypeName.DATE,
          SqlTypeName.TIME);

  private LoamValues(Values values) {
    super(values.getCluster(), values.getRowType(), values.getTuples(), values.getTraitSet());
  }

  /** The rows as they run; the same where they are few, or of other types. */
  static Values of(Values values) {
    return values.getTuples().size() >= FEWEST_ROWS
            && values.getRowType().getFieldList().stream()
                .allMatch(field -> TYPES.contains(field.getType().getSqlTypeName()))
        ? new LoamValues(values)
        : values;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return this;
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
    boolean bare = getRowType().getFieldCount() == 1;
    List<@Nullable Object> rows = new ArrayList<>();
    for (ImmutableList<RexLiteral> tuple : getTuples()) {
      @Nullable Object[] row = tuple.stream().map(LoamValues::value).toArray();
      rows.add(bare ? row[0] : row);
    }
    PhysType physType =
        PhysTypeImpl.of(
            implementor.getTypeFactory(),
            getRowType(),
            bare ? JavaRowFormat.SCALAR : JavaRowFormat.ARRAY,
            false);
    BlockBuilder block = new BlockBuilder();
    block.add(
        Expressions.return_(
            null,
            Expressions.call(
                BuiltInMethod.AS_ENUMERABLE2.method, implementor.stash(rows, List.class))));
    return implementor.result(physType, block.toBlock());
  }

  /** A value as generated code has it. */
  private static @Nullable Object value(RexLiteral literal) {
    return literal.isNull()
        ? null
        : switch (literal.getType().getSqlTypeName()) {
          case BOOLEAN -> literal.getValueAs(Boolean.class);
          case INTEGER, DATE, TIME -> literal.getValueAs(Integer.class);
          case BIGINT -> literal.getValueAs(Long.class);
          case REAL -> literal.getValueAs(Float.class);
          case FLOAT, DOUBLE -> literal.getValueAs(Double.class);
          case DECIMAL -> literal.getValueAs(BigDecimal.class);
          default -> literal.getValueAs(String.class);
        };
  }
}
