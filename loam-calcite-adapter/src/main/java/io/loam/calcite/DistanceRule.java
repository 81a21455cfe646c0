package io.loam.calcite;

import io.loam.query.OutputColumn;
import io.loam.schema.Field;
import io.loam.schema.TypeKind;
import io.loam.vector.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/**
 * Makes a scan whose rows are asked for the distance of a vector from a query a search that ranks
 * them by it. Its rows stay the same, and a sort by the distance above it is then no work.
 */
final class DistanceRule {
  private DistanceRule() {}

  static Optional<RelNode> push(LogicalProject project, LoamScan scan) {
    return ranking(project, scan).map(r -> ranked(project, scan, r));
  }

  /** Whether the rows of a scan can be ranked by a distance that is asked for. */
  static boolean ranks(LogicalProject project, LoamScan scan) {
    return ranking(project, scan).isPresent();
  }

  private static Optional<DistanceRanking> ranking(LogicalProject project, LoamScan scan) {
    ScanSpec spec = scan.spec();
    return spec.search().isPresent() || spec.limited() || !spec.sort().isEmpty()
        ? Optional.empty()
        : project.getProjects().stream()
            .map(e -> find(e, spec))
            .flatMap(Optional::stream)
            .findFirst();
  }

  private static RelNode ranked(LogicalProject project, LoamScan scan, DistanceRanking ranking) {
    ScanSpec spec = scan.spec();
    int place = spec.output().size();
    List<OutputColumn> output = new ArrayList<>(spec.output());
    output.add(OutputColumn.of(OutputColumn.Kind.DISTANCE));
    RelDataTypeFactory types = scan.getCluster().getTypeFactory();
    RelDataType distance = SqlTypes.of(types, OutputColumn.Kind.DISTANCE);
    RelDataType rowType =
        types.builder().addAll(scan.getRowType().getFieldList()).add("$distance", distance).build();
    RexShuttle replace =
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            Optional<DistanceRanking> same = of(call, spec).filter(r -> isSame(r, ranking));
            return same.isPresent() ? new RexInputRef(place, distance) : super.visitCall(call);
          }
        };
    return LogicalProject.create(
        scan.with(spec.withSearch(ranking).withOutput(output), rowType),
        project.getHints(),
        replace.apply(project.getProjects()),
        project.getRowType(),
        project.getVariablesSet());
  }

  private static boolean isSame(DistanceRanking a, DistanceRanking b) {
    return a.toString().equals(b.toString());
  }

  /** The first distance in an expression that a search can rank by. */
  private static Optional<DistanceRanking> find(RexNode node, ScanSpec spec) {
    if (!(node instanceof RexCall call)) {
      return Optional.empty();
    }
    Optional<DistanceRanking> ranking = of(call, spec);
    return ranking.isPresent()
        ? ranking
        : call.getOperands().stream()
            .map(operand -> find(operand, spec))
            .flatMap(Optional::stream)
            .findFirst();
  }

  private static Optional<DistanceRanking> of(RexCall call, ScanSpec spec) {
    Optional<Metric> metric = DistanceFunctions.metric(call.getOperator());
    if (metric.isEmpty()) {
      return Optional.empty();
    }
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    Optional<DistanceRanking> ranking = of(metric.get(), left, right, spec);
    return ranking.isPresent() ? ranking : of(metric.get(), right, left, spec);
  }

  private static Optional<DistanceRanking> of(
      Metric metric, RexNode column, RexNode query, ScanSpec spec) {
    if (!(column instanceof RexInputRef ref)) {
      return Optional.empty();
    }
    OutputColumn output = spec.output().get(ref.getIndex());
    if (output.kind() != OutputColumn.Kind.FIELD) {
      return Optional.empty();
    }
    Field field = spec.schema().field(output.number());
    return field.kind() == TypeKind.VECTOR
        ? Operand.of(query).map(operand -> new DistanceRanking(field, metric, operand))
        : Optional.empty();
  }
}
