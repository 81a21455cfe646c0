package io.loam.calcite;

import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;

/** Brings {@link LoamScan} and {@link LoamModify} into the convention that executes. */
final class ToEnumerable extends ConverterRule {
  static final RelOptRule SCAN = rule(LoamScan.class);
  static final RelOptRule MODIFY = rule(LoamModify.class);

  private ToEnumerable(Config config) {
    super(config);
  }

  private static RelOptRule rule(Class<? extends RelNode> type) {
    return Config.INSTANCE
        .withConversion(
            type,
            Convention.NONE,
            EnumerableConvention.INSTANCE,
            type.getSimpleName() + "ToEnumerable")
        .withRuleFactory(ToEnumerable::new)
        .toRule(ToEnumerable.class);
  }

  @Override
  public RelNode convert(RelNode rel) {
    if (rel instanceof LoamScan scan) {
      return scan.toEnumerable();
    }
    LoamModify modify = (LoamModify) rel;
    return modify.toEnumerable(
        convert(
            modify.getInput(),
            modify.getInput().getTraitSet().replace(EnumerableConvention.INSTANCE)));
  }
}
