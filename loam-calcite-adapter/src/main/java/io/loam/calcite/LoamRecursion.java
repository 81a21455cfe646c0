package io.loam.calcite;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.util.Util;

/**
 * A query that reads itself, as it runs. Calcite's own puts the rows of a round into the
 * connection's schema, where other statements meet them, and computes what groups, sorts or joins
 * the rows of a round before there are any. Here the code of each part is made anew with each
 * round, by {@link RecursiveRows}.
 */
final class LoamRecursion extends RepeatUnion implements EnumerableRel {
  private static final Method ROWS =
      Types.lookupMethod(
          RecursiveRows.class,
          "of",
          DataContext.class,
          String.class,
          boolean.class,
          Function1.class,
          Function1.class);

  private LoamRecursion(
      RepeatUnion union, RelTraitSet traits, RelNode first, RelNode next, RelOptTable rows) {
    super(union.getCluster(), traits, first, next, union.all, union.iterationLimit, rows);
  }

  static LoamRecursion of(RepeatUnion union) {
    return new LoamRecursion(
        union,
        union.getTraitSet(),
        unspooled(union.getSeedRel()),
        unspooled(union.getIterativeRel()),
        Objects.requireNonNull(union.getTransientTable()));
  }

  /** The rows of a round are kept as they are given. */
  private static RelNode unspooled(RelNode part) {
    return part instanceof Spool spool ? spool.getInput() : part;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new LoamRecursion(this, traits, inputs.get(0), inputs.get(1), rows());
  }

  private RelOptTable rows() {
    return Objects.requireNonNull(getTransientTable());
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
    // What reads the rows of a round expects arrays.
    Result first = implementor.visitChild(this, 0, (EnumerableRel) getSeedRel(), Prefer.ARRAY);
    Result next = implementor.visitChild(this, 1, (EnumerableRel) getIterativeRel(), Prefer.ARRAY);
    BlockBuilder block = new BlockBuilder();
    block.add(
        Expressions.return_(
            null,
            Expressions.call(
                ROWS,
                implementor.getRootExpression(),
                Expressions.constant(Util.last(rows().getQualifiedName())),
                Expressions.constant(all),
                // Each part runs within a statement that has the rows of its round.
                Expressions.lambda(first.block, DataContext.ROOT),
                Expressions.lambda(next.block, DataContext.ROOT))));
    return implementor.result(
        PhysTypeImpl.of(
            implementor.getTypeFactory(), getRowType(), Prefer.ARRAY.prefer(first.format)),
        block.toBlock());
  }
}
