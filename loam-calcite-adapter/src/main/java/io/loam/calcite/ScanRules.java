package io.loam.calcite;

import io.loam.column.SortKey;
import io.loam.query.OutputColumn;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/** What moves from the operators above a {@link LoamScan} into it. */
final class ScanRules {
  private ScanRules() {}

  static final RelOptRule PROJECT = ScanRule.over(LogicalProject.class, ScanRules::project);

  static final List<RelOptRule> PUSHDOWN =
      List.of(
          PROJECT,
          DistanceFilterRule.INSTANCE,
          ScanRule.over(LogicalFilter.class, ScanRules::filter),
          ScanRule.over(LogicalSort.class, ScanRules::sort),
          ScanRule.over(LogicalAggregate.class, AggregateRule::push));

  /** Pushes the parts of a condition that core evaluates; above a search they stay above its k. */
  private static Optional<RelNode> filter(LogicalFilter filter, LoamScan scan) {
    ScanSpec spec = scan.spec();
    if (spec.limited() || spec.aggregation().isPresent()) {
      return Optional.empty();
    }
    RexBuilder rexBuilder = filter.getCluster().getRexBuilder();
    boolean narrows = spec.search().map(Ranking.class::isInstance).orElse(false);
    PushedParts pushed = PushedParts.of(filter, spec, narrows);
    if (pushed.plans().isEmpty()) {
      return Optional.empty();
    }
    LoamScan filtered = pushed.into(scan);
    return Optional.of(
        pushed.rest().isEmpty()
            ? filtered
            : LogicalFilter.create(
                filtered, RexUtil.composeConjunction(rexBuilder, pushed.rest())));
  }

  /** Reads only the columns that are used. */
  private static Optional<RelNode> project(LogicalProject project, LoamScan scan) {
    ScanSpec spec = scan.spec();
    if (spec.aggregation().isPresent()) {
      return Optional.empty();
    }
    Optional<RelNode> ranked = DistanceRule.push(project, scan);
    if (ranked.isPresent()) {
      return ranked;
    }
    if (project.getProjects().stream().allMatch(RexInputRef.class::isInstance)
        && !project.getProjects().isEmpty()) {
      List<Integer> columns =
          project.getProjects().stream().map(e -> ((RexInputRef) e).getIndex()).toList();
      return Optional.of(narrow(scan, columns, project.getRowType()));
    }
    ImmutableBitSet used = RelOptUtil.InputFinder.bits(project.getProjects(), null);
    if (used.isEmpty() || used.cardinality() == spec.output().size()) {
      return Optional.empty();
    }
    List<Integer> columns = used.asList();
    LoamScan narrow =
        narrow(
            scan,
            columns,
            scan.getCluster()
                .getTypeFactory()
                .createStructType(
                    columns.stream().map(i -> scan.getRowType().getFieldList().get(i)).toList()));
    RexShuttle renumber =
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return new RexInputRef(columns.indexOf(ref.getIndex()), ref.getType());
          }
        };
    return Optional.of(
        LogicalProject.create(
            narrow,
            project.getHints(),
            renumber.apply(project.getProjects()),
            project.getRowType(),
            project.getVariablesSet()));
  }

  /** A scan of some of another's columns; it keeps as much of the order as they tell. */
  static LoamScan narrow(LoamScan scan, List<Integer> columns, RelDataType rowType) {
    List<OutputColumn> output = columns.stream().map(scan.spec().output()::get).toList();
    LoamScan narrow = scan.with(scan.spec().withOutput(output), rowType);
    RelCollation collation = scan.getTraitSet().getCollation();
    List<RelFieldCollation> kept = new ArrayList<>();
    if (collation != null) {
      for (RelFieldCollation field : collation.getFieldCollations()) {
        int position = columns.indexOf(field.getFieldIndex());
        if (position < 0) {
          break;
        }
        kept.add(field.withFieldIndex(position));
      }
    }
    return kept.isEmpty() ? narrow : narrow.ordered(RelCollations.of(kept));
  }

  /** Pushes ORDER BY over typed fields or by score, LIMIT and OFFSET. */
  private static Optional<RelNode> sort(LogicalSort sort, LoamScan scan) {
    ScanSpec spec = scan.spec();
    Optional<Operand> offset = operand(sort.offset);
    Optional<Operand> limit = operand(sort.fetch);
    if ((sort.offset != null && offset.isEmpty()) || (sort.fetch != null && limit.isEmpty())) {
      return Optional.empty();
    }
    RelCollation collation = sort.getCollation();
    if (spec.aggregation().isPresent()) {
      return spec.groupOrder().isPresent()
          ? Optional.empty()
          : Optional.of(
              scan.with(
                      spec.withGroupOrder(GroupOrder.of(collation, offset, limit)),
                      scan.getRowType())
                  .ordered(collation));
    }
    if (spec.limited()) {
      return Optional.empty();
    }
    if (collation.getFieldCollations().isEmpty()) {
      LoamScan cut = scan.with(spec.withSort(spec.sort(), offset, limit), scan.getRowType());
      return Optional.of(cut.copy(scan.getTraitSet(), List.of()));
    }
    Optional<List<SortKey>> keys =
        isSearchOrder(collation, spec) ? Optional.of(List.of()) : sortKeys(collation, spec);
    return keys.map(
        k -> scan.with(spec.withSort(k, offset, limit), scan.getRowType()).ordered(collation));
  }

  private static Optional<Operand> operand(@Nullable RexNode node) {
    return node == null ? Optional.empty() : Operand.of(node);
  }

  /**
   * Whether an order is the one that a search gives by itself: by score or distance, equal ones by
   * key.
   */
  private static boolean isSearchOrder(RelCollation collation, ScanSpec spec) {
    List<RelFieldCollation> fields = collation.getFieldCollations();
    if (spec.search().isEmpty()
        || !spec.sort().isEmpty()
        || fields.size() > 2
        || (fields.size() == 2 && !isKeyOrder(fields.get(1), spec))) {
      return false;
    }
    RelFieldCollation field = fields.get(0);
    return switch (spec.output().get(field.getFieldIndex()).kind()) {
      case SCORE -> field.direction.isDescending();
      case DISTANCE ->
          !field.direction.isDescending()
              && field.nullDirection != RelFieldCollation.NullDirection.FIRST;
      case FIELD, RANK, LEG_SCORE, SOURCE, ROW_ID, VERSION -> false;
    };
  }

  /** Whether an order is that of the key's bytes, which for text and UUIDs differs from SQL's. */
  private static boolean isKeyOrder(RelFieldCollation field, ScanSpec spec) {
    OutputColumn column = spec.output().get(field.getFieldIndex());
    return !field.direction.isDescending()
        && column.equals(OutputColumn.field(spec.schema().keyField()))
        && spec.schema().field(column.number()).kind() == TypeKind.BIGINT;
  }

  private static Optional<List<SortKey>> sortKeys(RelCollation collation, ScanSpec spec) {
    List<SortKey> keys = new ArrayList<>();
    for (RelFieldCollation field : collation.getFieldCollations()) {
      OutputColumn column = spec.output().get(field.getFieldIndex());
      if (column.kind() != OutputColumn.Kind.FIELD) {
        return Optional.empty();
      }
      TypeKind kind = spec.schema().field(column.number()).kind();
      if (!kind.isTyped() || kind == TypeKind.VARCHAR_ARRAY) {
        return Optional.empty();
      }
      boolean descending = field.direction.isDescending();
      boolean nullsFirst =
          switch (field.nullDirection) {
            case FIRST -> true;
            case LAST -> false;
            case UNSPECIFIED -> descending;
          };
      keys.add(new SortKey(column.number(), descending, nullsFirst));
    }
    return Optional.of(keys);
  }
}
