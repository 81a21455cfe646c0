package io.loam.calcite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/** The parts of a condition over a scan that core evaluates, and the others. */
record PushedParts(List<PredicatePlan> plans, List<RexNode> rest) {
  PushedParts {
    plans = List.copyOf(plans);
    rest = List.copyOf(rest);
  }

  /**
   * Takes a condition apart.
   *
   * @param computing whether core computes what it has no kernel for
   */
  static PushedParts of(LogicalFilter filter, ScanSpec spec, boolean computing) {
    RexBuilder rexBuilder = filter.getCluster().getRexBuilder();
    PredicateTranslator translator =
        new PredicateTranslator(spec.schema(), spec.output(), rexBuilder);
    ComputedCondition computed = new ComputedCondition(spec.schema(), spec.output(), rexBuilder);
    List<PredicatePlan> plans = new ArrayList<>();
    List<RexNode> rest = new ArrayList<>();
    for (RexNode part : RelOptUtil.conjunctions(filter.getCondition())) {
      Optional<PredicatePlan> plan = translator.translate(part);
      if (plan.isEmpty() && computing) {
        plan = computed.translate(part);
      }
      plan.ifPresentOrElse(plans::add, () -> rest.add(part));
    }
    return new PushedParts(plans, rest);
  }

  /** The scan with the condition's parts in it. */
  LoamScan into(LoamScan scan) {
    ScanSpec filtered = scan.spec().withFilter(PredicatePlan.and(plans));
    return (LoamScan) scan.with(filtered, scan.getRowType()).copy(scan.getTraitSet(), List.of());
  }
}
