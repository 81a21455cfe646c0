package io.loam.calcite;

import io.loam.query.OutputColumn;
import io.loam.schema.Field;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/** Finds the collection's column that an operator's column is. */
final class ColumnOrigins {
  private ColumnOrigins() {}

  /** A column of a scan. */
  record Origin(LoamScan scan, Field field) {}

  /** The origin of an expression over an operator's inputs. */
  static Optional<Origin> ofInput(RelNode rel, RexNode expression) {
    if (!(expression instanceof RexInputRef ref)) {
      return Optional.empty();
    }
    int index = ref.getIndex();
    for (RelNode input : rel.getInputs()) {
      int width = input.getRowType().getFieldCount();
      if (index < width) {
        return of(input, index);
      }
      index -= width;
    }
    return Optional.empty();
  }

  private static Optional<Origin> of(RelNode rel, int index) {
    if (rel instanceof LoamScan scan) {
      OutputColumn column = scan.spec().output().get(index);
      return column.kind() == OutputColumn.Kind.FIELD
          ? Optional.of(new Origin(scan, scan.spec().schema().field(column.number())))
          : Optional.empty();
    }
    if (rel instanceof Project project) {
      return ofInput(project, project.getProjects().get(index));
    }
    if (rel instanceof Aggregate aggregate) {
      return index < aggregate.getGroupCount()
          ? of(aggregate.getInput(), aggregate.getGroupSet().nth(index))
          : Optional.empty();
    }
    if (rel instanceof Filter || rel instanceof Sort) {
      return of(rel.getInput(0), index);
    }
    return rel instanceof Join || rel instanceof Correlate
        ? ofInput(rel, new RexInputRef(index, rel.getRowType().getFieldList().get(index).getType()))
        : Optional.empty();
  }
}
