package io.loam.calcite;

import java.lang.reflect.Method;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.util.Util;

/** Where a query reads itself: the rows of the round before, see {@link RecursiveRows}. */
final class RoundScan extends TableScan implements EnumerableRel {
  private static final Method BEFORE =
      Types.lookupMethod(RecursiveRows.class, "before", DataContext.class, String.class);

  RoundScan(TableScan scan) {
    super(
        scan.getCluster(),
        scan.getTraitSet().replace(EnumerableConvention.INSTANCE),
        scan.getHints(),
        scan.getTable());
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return this;
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
    BlockBuilder block = new BlockBuilder();
    block.add(
        Expressions.return_(
            null,
            Expressions.call(
                BEFORE,
                implementor.getRootExpression(),
                Expressions.constant(Util.last(getTable().getQualifiedName())))));
    return implementor.result(
        PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY),
        block.toBlock());
  }
}
