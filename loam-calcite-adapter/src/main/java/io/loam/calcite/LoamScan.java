package io.loam.calcite;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlExplainLevel;

/**
 * The one leaf of Loam's plans: a read of one collection with all that is pushed into it. It starts
 * out in no convention, where rules grow its {@link ScanSpec}, and ends as {@link Executable}.
 */
class LoamScan extends TableScan {
  private static final double FILTER_SELECTIVITY = 0.25;
  private static final double SEARCH_ROWS = 10;
  private static final Method ROWS =
      Types.lookupMethod(ScanExecution.class, "rows", DataContext.class);

  private static final Method WITH_OUTER =
      Types.lookupMethod(
          ScanExecution.class, "withOuter", DataContext.class, String.class, Object.class);

  private final ScanSpec spec;

  private LoamScan(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelOptTable table,
      ScanSpec spec,
      RelDataType rowType) {
    super(cluster, traits, List.of(), table);
    this.spec = spec;
    this.rowType = rowType;
  }

  static LoamScan create(
      RelOptCluster cluster, RelOptTable table, ScanSpec spec, RelDataType rowType) {
    return new LoamScan(cluster, cluster.traitSetOf(Convention.NONE), table, spec, rowType);
  }

  ScanSpec spec() {
    return spec;
  }

  /** A scan that pushes another amount; its order is unknown. */
  LoamScan with(ScanSpec other, RelDataType otherRowType) {
    return make(getCluster().traitSetOf(getConvention()), other, otherRowType);
  }

  /** The scan in another form, of the class that belongs to the convention. */
  private LoamScan make(RelTraitSet traits, ScanSpec other, RelDataType otherRowType) {
    return traits.contains(EnumerableConvention.INSTANCE)
        ? new Executable(getCluster(), traits, table, other, otherRowType)
        : new LoamScan(getCluster(), traits, table, other, otherRowType);
  }

  /** The same rows, ranked. */
  LoamScan ranking(Ranking ranking) {
    return with(spec.withSearch(ranking), rowType);
  }

  /** The same scan, known to give its rows in an order. */
  LoamScan ordered(RelCollation collation) {
    return make(traitSet.replace(collation), spec, rowType);
  }

  /** The same scan in the convention that executes. */
  LoamScan toEnumerable() {
    return make(traitSet.replace(EnumerableConvention.INSTANCE), spec, rowType);
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return make(traits, spec, rowType);
  }

  @Override
  public RelDataType deriveRowType() {
    return rowType;
  }

  /** Names the collection by its own name, not by Calcite's path to the table. */
  @Override
  public RelWriter explainTerms(RelWriter pw) {
    RelWriter written = explainScan(pw);
    // Plans are compared by these terms, too, while they are made.
    return pw.getDetailLevel() == SqlExplainLevel.DIGEST_ATTRIBUTES
        ? written
        : VectorStrategies.of(spec, table.unwrapOrThrow(LoamTable.class))
            .map(strategy -> written.item("strategy", strategy))
            .orElse(written);
  }

  private RelWriter explainScan(RelWriter pw) {
    return pw.item("collection", spec.collection() + VersionedName.describe(spec.version()))
        .itemIf("search", spec.search().map(Object::toString).orElse(""), spec.search().isPresent())
        .itemIf(
            "filter", spec.filter().map(PredicatePlan::text).orElse(""), spec.filter().isPresent())
        .itemIf("output", String.join(", ", spec.outputNames()), spec.aggregation().isEmpty())
        .itemIf("sort", spec.sortText(), !spec.sort().isEmpty())
        .itemIf("offset", spec.offset().map(Operand::text).orElse(""), spec.offset().isPresent())
        .itemIf("limit", spec.limit().map(Operand::text).orElse(""), spec.limit().isPresent())
        .itemIf("groups", spec.aggregationText(), spec.aggregation().isPresent())
        .itemIf("order", spec.groupOrderText(), spec.groupOrder().isPresent());
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    if (spec.aggregation().map(a -> a.groupFields().isEmpty()).orElse(false)) {
      return 1;
    }
    boolean ofCall = spec.search().map(SearchCall.class::isInstance).orElse(false);
    double rows = ofCall ? SEARCH_ROWS : table.getRowCount();
    if (spec.filter().isPresent()
        || spec.search().map(MatchRanking.class::isInstance).orElse(false)) {
      rows *= FILTER_SELECTIVITY;
    }
    return Math.max(1, spec.limit().isPresent() ? Math.min(rows, SEARCH_ROWS) : rows);
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    double rows = estimateRowCount(mq);
    return planner.getCostFactory().makeCost(rows, rows * rowType.getFieldCount() / 100, 0);
  }

  /** Columns of other tables that arguments of the search are. */
  List<RexFieldAccess> outer() {
    return spec.search().orElse(null) instanceof SearchCall call ? call.outer() : List.of();
  }

  @Override
  public void collectVariablesUsed(Set<CorrelationId> variables) {
    outer().forEach(access -> variables.add(((RexCorrelVariable) access.getReferenceExpr()).id));
  }

  @Override
  public RelNode accept(RexShuttle shuttle) {
    if (!(spec.search().orElse(null) instanceof SearchCall call) || outer().isEmpty()) {
      return this;
    }
    SearchCall changed = call.withOuter(access -> (RexFieldAccess) shuttle.apply(access));
    return changed.outer().equals(outer())
        ? this
        : make(traitSet, spec.withSearch(changed), rowType);
  }

  /** In the convention that executes; Calcite's rules for logical operators must not make one. */
  private static final class Executable extends LoamScan implements EnumerableRel {
    Executable(
        RelOptCluster cluster,
        RelTraitSet traits,
        RelOptTable table,
        ScanSpec spec,
        RelDataType rowType) {
      super(cluster, traits, table, spec, rowType);
    }

    /** What EXPLAIN shows: a scan is a scan. */
    @Override
    public String getRelTypeName() {
      return LoamScan.class.getSimpleName();
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
      PhysType physType =
          PhysTypeImpl.of(implementor.getTypeFactory(), rowType, JavaRowFormat.ARRAY);
      BlockBuilder block = new BlockBuilder();
      Expression context = DataContext.ROOT;
      for (RexFieldAccess access : outer()) {
        context =
            Expressions.call(
                WITH_OUTER,
                context,
                Expressions.constant(access.toString()),
                outerValue(implementor, block, access));
      }
      block.add(
          Expressions.return_(
              null,
              Expressions.call(
                  implementor.stash(new ScanExecution(spec()), ScanExecution.class),
                  ROWS,
                  context)));
      return implementor.result(physType, block.toBlock());
    }

    private static Expression outerValue(
        EnumerableRelImplementor implementor, BlockBuilder block, RexFieldAccess access) {
      String variable = ((RexCorrelVariable) access.getReferenceExpr()).getName();
      Expression value =
          implementor
              .getCorrelVariableGetter(variable)
              .field(
                  block,
                  access.getField().getIndex(),
                  implementor.getTypeFactory().getJavaClass(access.getType()));
      return Expressions.convert_(Expressions.box(value), Object.class);
    }
  }
}
