package io.loam.calcite;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.RelOptLattice;
import org.apache.calcite.plan.RelOptMaterialization;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.rules.AggregateReduceFunctionsRule;
import org.apache.calcite.rel.rules.FilterAggregateTransposeRule;
import org.apache.calcite.rel.rules.FilterJoinRule.FilterIntoJoinRule.FilterIntoJoinRuleConfig;
import org.apache.calcite.rel.rules.FilterJoinRule.JoinConditionPushRule.JoinConditionPushRuleConfig;
import org.apache.calcite.rel.rules.FilterMergeRule;
import org.apache.calcite.rel.rules.FilterProjectTransposeRule;
import org.apache.calcite.rel.rules.FilterSetOpTransposeRule;
import org.apache.calcite.rel.rules.ProjectMergeRule;
import org.apache.calcite.rel.rules.ProjectRemoveRule;
import org.apache.calcite.rel.rules.SortProjectTransposeRule;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql2rel.ConvertToChecked;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;
import org.apache.calcite.tools.RelBuilder;

/**
 * How plans are made. First all that core can do moves into the scans, always and whatever it
 * costs; what is then a {@link DirectPlan} is done, the rest goes through Calcite's own programs.
 */
final class LoamProgram implements Program {
  static final LoamProgram INSTANCE = new LoamProgram();

  private static final RelOptRule AVERAGE =
      AggregateReduceFunctionsRule.Config.DEFAULT
          .withFunctionsToReduce(Set.of(SqlKind.AVG))
          .toRule();

  private static final HepProgram PUSHDOWN =
      new HepProgramBuilder()
          .addMatchOrder(HepMatchOrder.BOTTOM_UP)
          // First, so that what cannot be pushed does not come to stand over unused columns.
          .addRuleInstance(ScanRules.PROJECT)
          // Not taken from CoreRules, which makes all of Calcite's rules at its first use.
          .addRuleCollection(
              List.of(
                  FilterIntoJoinRuleConfig.DEFAULT.toRule(),
                  JoinConditionPushRuleConfig.DEFAULT.toRule(),
                  FilterProjectTransposeRule.Config.DEFAULT.toRule(),
                  FilterAggregateTransposeRule.Config.DEFAULT.toRule(),
                  FilterMergeRule.Config.DEFAULT.toRule(),
                  FilterSetOpTransposeRule.Config.DEFAULT.toRule(),
                  SortProjectTransposeRule.Config.DEFAULT.toRule(),
                  ProjectMergeRule.Config.DEFAULT.toRule(),
                  ProjectRemoveRule.Config.DEFAULT.toRule(),
                  AVERAGE))
          .addRuleCollection(ScanRules.PUSHDOWN)
          .build();

  private static final HepProgram NARROWING =
      new HepProgramBuilder().addRuleInstance(ScanRules.PROJECT).build();

  private LoamProgram() {}

  @Override
  public RelNode run(
      RelOptPlanner planner,
      RelNode rel,
      RelTraitSet required,
      List<RelOptMaterialization> materializations,
      List<RelOptLattice> lattices) {
    RexExecutor executor = planner.getExecutor();
    if (executor != null) {
      planner.setExecutor(GeneratedPlan.executor(executor));
    }
    RelNode checked = new ConvertToChecked(rel.getCluster().getRexBuilder(), true).visit(rel);
    RelNode pushed = pushDown(planner, modification(OwnAggregates.ofQuery(checked)));
    if (pushed instanceof LoamModify modify) {
      Optional<LoamInsertValues> values = LoamInsertValues.of(modify);
      if (values.isPresent()) {
        return values.get();
      }
    }
    if (pushed instanceof LoamScan scan) {
      LoamScan ready = scan.toEnumerable();
      if (ready.getTraitSet().satisfies(required)) {
        return ready;
      }
    } else if (DirectPlan.of(pushed).isPresent()) {
      return pushed;
    }
    RelNode expanded = InListExpansion.expand(pushed);
    if (expanded != pushed) {
      expanded = withoutSubQueries(planner, expanded);
    }
    // What was pushed may have been the only use of a column.
    RelNode narrowed = rewrite(NARROWING, planner, trimmed(DoubleKeys.of(expanded)));
    addRules(planner);
    return GeneratedPlan.of(
        Programs.standard().run(planner, narrowed, required, materializations, lattices));
  }

  private static void addRules(RelOptPlanner planner) {
    RelOptUtil.registerDefaultRules(planner, false, false);
    planner.removeRule(EnumerableRules.ENUMERABLE_TABLE_MODIFICATION_RULE);
    // They trust orders that Calcite derives wrongly: a cast of any column of a sorted row is taken
    // as sorted.
    planner.removeRule(EnumerableRules.ENUMERABLE_MERGE_JOIN_RULE);
    planner.removeRule(EnumerableRules.ENUMERABLE_MERGE_UNION_RULE);
    planner.addRule(ToEnumerable.SCAN);
    planner.addRule(ToEnumerable.MODIFY);
  }

  private static RelNode modification(RelNode rel) {
    return rel instanceof TableModify modify ? LoamModify.of(modify) : rel;
  }

  private static RelNode pushDown(RelOptPlanner planner, RelNode rel) {
    RelNode ready = rel;
    if (isComplex(rel)) {
      ready = trimmed(withoutSubQueries(planner, rel));
    }
    return rewrite(PUSHDOWN, planner, ready);
  }

  private static RelNode rewrite(HepProgram program, RelOptPlanner planner, RelNode rel) {
    HepPlanner hep = new HepPlanner(program, planner.getContext());
    hep.setExecutor(planner.getExecutor());
    hep.setRoot(rel);
    return hep.findBestExp();
  }

  private static RelNode withoutSubQueries(RelOptPlanner planner, RelNode rel) {
    RelNode expanded =
        Programs.subQuery(DefaultRelMetadataProvider.INSTANCE)
            .run(planner, rel, rel.getTraitSet(), List.of(), List.of());
    return RelDecorrelator.decorrelateQuery(
        expanded, RelFactories.LOGICAL_BUILDER.create(rel.getCluster(), null));
  }

  /** Joins read only the columns that are used above them. */
  private static RelNode trimmed(RelNode rel) {
    RelBuilder builder = RelFactories.LOGICAL_BUILDER.create(rel.getCluster(), null);
    if (rel instanceof LoamModify modify) {
      return modify.copy(
          modify.getTraitSet(),
          List.of(new RelFieldTrimmer(null, builder).trim(modify.getInput())));
    }
    return new RelFieldTrimmer(null, builder).trim(rel);
  }

  /** Whether a tree has joins or subqueries. */
  private static boolean isComplex(RelNode rel) {
    boolean[] subQuery = {false};
    rel.accept(
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery query) {
            subQuery[0] = true;
            return query;
          }
        });
    return subQuery[0]
        || rel instanceof Join
        || rel instanceof Correlate
        || rel.getInputs().stream().anyMatch(LoamProgram::isComplex);
  }
}
