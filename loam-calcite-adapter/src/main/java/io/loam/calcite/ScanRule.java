package io.loam.calcite;

import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Replaces an operator over a {@link LoamScan}.
 *
 * @param <R> the operator
 */
final class ScanRule<R extends RelNode> extends RelRule<ScanRule.Over<R>> {

  private ScanRule(Over<R> config) {
    super(config);
  }

  /** A rule that applies {@code rewrite} to each operator of a type over a scan. */
  static <R extends RelNode> ScanRule<R> over(
      Class<R> type, BiFunction<R, LoamScan, Optional<RelNode>> rewrite) {
    return new ScanRule<>(
        new Over<>(
            type,
            rewrite,
            RelFactories.LOGICAL_BUILDER,
            "Loam" + type.getSimpleName(),
            operator ->
                operator
                    .operand(type)
                    .oneInput(input -> input.operand(LoamScan.class).noInputs())));
  }

  @Override
  public void onMatch(RelOptRuleCall call) {
    R operator = call.rel(0);
    config.rewrite.apply(operator, call.rel(1)).ifPresent(call::transformTo);
  }

  record Over<R extends RelNode>(
      Class<R> type,
      BiFunction<R, LoamScan, Optional<RelNode>> rewrite,
      RelBuilderFactory relBuilderFactory,
      String description,
      OperandTransform operandSupplier)
      implements RelRule.Config {
    @Override
    public ScanRule<R> toRule() {
      return new ScanRule<>(this);
    }

    @Override
    public Over<R> withRelBuilderFactory(RelBuilderFactory factory) {
      return new Over<>(type, rewrite, factory, description, operandSupplier);
    }

    @Override
    public Over<R> withDescription(String text) {
      return new Over<>(type, rewrite, relBuilderFactory, text, operandSupplier);
    }

    @Override
    public Over<R> withOperandSupplier(OperandTransform operands) {
      return new Over<>(type, rewrite, relBuilderFactory, description, operands);
    }
  }
}
