package io.loam.calcite;

import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Pushes all of a condition that stands between a scan and a distance by which its rows may be
 * ranked, so that the search does not count rows that the condition drops.
 */
final class DistanceFilterRule extends RelRule<DistanceFilterRule.Operands> {
  static final RelOptRule INSTANCE =
      new Operands(
              RelFactories.LOGICAL_BUILDER,
              "LoamDistanceFilter",
              project ->
                  project
                      .operand(LogicalProject.class)
                      .oneInput(
                          filter ->
                              filter
                                  .operand(LogicalFilter.class)
                                  .oneInput(scan -> scan.operand(LoamScan.class).noInputs())))
          .toRule();

  private DistanceFilterRule(Operands config) {
    super(config);
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    LogicalProject project = call.rel(0);
    LogicalFilter filter = call.rel(1);
    LoamScan scan = call.rel(2);
    if (!DistanceRule.ranks(project, scan)) {
      return;
    }
    PushedParts parts = PushedParts.of(filter, scan.spec(), true);
    if (parts.rest().isEmpty()) {
      call.transformTo(project.copy(project.getTraitSet(), List.of(parts.into(scan))));
    }
  }

  record Operands(
      RelBuilderFactory relBuilderFactory, String description, OperandTransform operandSupplier)
      implements RelRule.Config {
    @Override
    public DistanceFilterRule toRule() {
      return new DistanceFilterRule(this);
    }

    @Override
    public Operands withRelBuilderFactory(RelBuilderFactory factory) {
      return new Operands(factory, description, operandSupplier);
    }

    @Override
    public Operands withDescription(String text) {
      return new Operands(relBuilderFactory, text, operandSupplier);
    }

    @Override
    public Operands withOperandSupplier(OperandTransform operands) {
      return new Operands(relBuilderFactory, description, operands);
    }
  }
}
