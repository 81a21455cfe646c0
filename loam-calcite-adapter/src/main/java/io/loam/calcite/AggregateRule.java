package io.loam.calcite;

import io.loam.query.Aggregation;
import io.loam.query.OutputColumn;
import io.loam.schema.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.sql.SqlKind;

/** Which GROUP BY and aggregates move into a {@link LoamScan}. */
final class AggregateRule {
  private static final Set<TypeKind> GROUPED =
      Set.of(TypeKind.BIGINT, TypeKind.INTEGER, TypeKind.BOOLEAN, TypeKind.DATE, TypeKind.VARCHAR);

  private static final Set<TypeKind> SUMMED =
      Set.of(TypeKind.BIGINT, TypeKind.INTEGER, TypeKind.DECIMAL, TypeKind.DOUBLE, TypeKind.REAL);

  private static final Set<TypeKind> ORDERED =
      Set.of(
          TypeKind.BIGINT,
          TypeKind.INTEGER,
          TypeKind.DECIMAL,
          TypeKind.DOUBLE,
          TypeKind.REAL,
          TypeKind.DATE,
          TypeKind.TIMESTAMP,
          TypeKind.UUID,
          TypeKind.VARCHAR);

  private static final Set<SqlKind> DISTINCT_IS_SAME = Set.of(SqlKind.MIN, SqlKind.MAX);

  private final ScanSpec spec;

  private AggregateRule(ScanSpec spec) {
    this.spec = spec;
  }

  static Optional<RelNode> push(LogicalAggregate aggregate, LoamScan scan) {
    if (scan.spec().aggregation().isPresent() || aggregate.getGroupSets().size() != 1) {
      return Optional.empty();
    }
    return new AggregateRule(scan.spec())
        .aggregation(aggregate)
        .filter(a -> !scan.spec().limited() || a.equals(Aggregation.COUNT))
        .map(a -> scan.with(scan.spec().withAggregation(a), aggregate.getRowType()));
  }

  private Optional<Aggregation> aggregation(LogicalAggregate aggregate) {
    List<Integer> groups = new ArrayList<>();
    for (int column : aggregate.getGroupSet()) {
      Optional<Integer> field = field(column, GROUPED);
      if (field.isEmpty()) {
        return Optional.empty();
      }
      groups.add(field.get());
    }
    List<Aggregation.Call> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      Optional<Aggregation.Call> pushed = call(call);
      if (pushed.isEmpty()) {
        return Optional.empty();
      }
      calls.add(pushed.get());
    }
    return Optional.of(new Aggregation(groups, calls));
  }

  private Optional<Aggregation.Call> call(AggregateCall call) {
    if (call.hasFilter() || call.getArgList().size() > 1) {
      return Optional.empty();
    }
    if (call.isDistinct() && !DISTINCT_IS_SAME.contains(call.getAggregation().getKind())) {
      return isCount(call)
          ? field(call.getArgList().get(0), GROUPED)
              .map(f -> new Aggregation.Call(Aggregation.Function.COUNT_DISTINCT, f))
          : Optional.empty();
    }
    if (call.getArgList().isEmpty()) {
      return Optional.of(new Aggregation.Call(Aggregation.Function.COUNT_ROWS, 0))
          .filter(c -> isCount(call));
    }
    int column = call.getArgList().get(0);
    return switch (call.getAggregation().getKind()) {
      case COUNT -> typed(column).map(f -> new Aggregation.Call(Aggregation.Function.COUNT, f));
      case SUM -> field(column, SUMMED).map(f -> new Aggregation.Call(Aggregation.Function.SUM, f));
      case MIN ->
          field(column, ORDERED).map(f -> new Aggregation.Call(Aggregation.Function.MIN, f));
      case MAX ->
          field(column, ORDERED).map(f -> new Aggregation.Call(Aggregation.Function.MAX, f));
      default ->
          OwnAggregates.isWideSum(call.getAggregation())
              ? field(column, SUMMED)
                  .map(f -> new Aggregation.Call(Aggregation.Function.WIDE_SUM, f))
              : Optional.empty();
    };
  }

  private static boolean isCount(AggregateCall call) {
    return call.getAggregation().getKind() == SqlKind.COUNT;
  }

  private Optional<Integer> typed(int column) {
    return number(column).filter(f -> spec.schema().field(f).kind().isTyped());
  }

  /** The number of the field of a column, if it is of one of these kinds. */
  private Optional<Integer> field(int column, Set<TypeKind> kinds) {
    return number(column).filter(f -> kinds.contains(spec.schema().field(f).kind()));
  }

  private Optional<Integer> number(int column) {
    OutputColumn output = spec.output().get(column);
    return output.kind() == OutputColumn.Kind.FIELD
        ? Optional.of(output.number())
        : Optional.empty();
  }
}
