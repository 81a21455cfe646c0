package io.loam.calcite;

import io.loam.commit.WriteBatch;
import io.loam.error.LoamException;
import io.loam.schema.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;

/** INSERT or UPSERT of rows that are all literals and parameters: runs without generated code. */
final class LoamInsertValues extends AbstractRelNode {
  private final LoamModify modify;
  private final List<List<Operand>> rows;

  private LoamInsertValues(LoamModify modify, List<List<Operand>> rows) {
    super(modify.getCluster(), modify.getCluster().traitSetOf(Convention.NONE));
    this.modify = modify;
    this.rows = rows;
  }

  /** The same modification without an input, if all of its rows are operands. */
  static Optional<LoamInsertValues> of(LoamModify modify) {
    if (modify.mode() != LoamModify.Mode.INSERT && modify.mode() != LoamModify.Mode.UPSERT) {
      return Optional.empty();
    }
    List<List<Operand>> rows = new ArrayList<>();
    Optional<List<List<RexNode>>> expressions = rowsOf(modify.getInput());
    if (expressions.isEmpty()) {
      return Optional.empty();
    }
    List<Field> fields = modify.target().schema().fields();
    for (List<RexNode> row : expressions.get()) {
      List<Operand> operands = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        RexNode value =
            ColumnCasts.without(row.get(i), fields.get(i), modify.getCluster().getTypeFactory());
        // Of what a parameter gives, a cast might round, which writing it would refuse.
        Optional<Operand> operand = Operand.of(value instanceof RexLiteral ? value : row.get(i));
        if (operand.isEmpty()) {
          return Optional.empty();
        }
        operands.add(operand.get());
      }
      rows.add(operands);
    }
    return Optional.of(new LoamInsertValues(modify, rows));
  }

  /** The expressions of a VALUES, however Calcite spread them. */
  private static Optional<List<List<RexNode>>> rowsOf(RelNode rel) {
    if (rel instanceof Values values) {
      return Optional.of(
          values.getTuples().stream().map(tuple -> List.<RexNode>copyOf(tuple)).toList());
    }
    if (rel instanceof Project project) {
      return rowsOf(project.getInput())
          .map(rows -> rows.stream().map(row -> substitute(project.getProjects(), row)).toList());
    }
    if (rel instanceof Union union && union.all) {
      List<List<RexNode>> rows = new ArrayList<>();
      for (RelNode input : union.getInputs()) {
        Optional<List<List<RexNode>>> part = rowsOf(input);
        if (part.isEmpty()) {
          return Optional.empty();
        }
        rows.addAll(part.get());
      }
      return Optional.of(rows);
    }
    return Optional.empty();
  }

  private static List<RexNode> substitute(List<RexNode> expressions, List<RexNode> row) {
    RexShuttle shuttle =
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return row.get(ref.getIndex());
          }
        };
    return shuttle.apply(expressions);
  }

  LoamModify modify() {
    return modify;
  }

  /** Writes the rows and gives their number. */
  Enumerable<Long> execute(StatementContext statement) {
    RowSink sink = modify.sink();
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<Long> enumerator() {
        WriteBatch batch = sink.begin(statement);
        for (int i = 0; i < rows.size(); i++) {
          try {
            sink.add(batch, rows.get(i), statement);
          } catch (LoamException e) {
            // Where batches are collected, whoever does so knows the row's place.
            throw rows.size() == 1 || statement.collected() != null ? e : e.with("row=" + (i + 1));
          }
        }
        sink.commit(batch, statement);
        return Linq4j.singletonEnumerator((long) rows.size());
      }
    };
  }

  @Override
  protected RelDataType deriveRowType() {
    return RelOptUtil.createDmlRowType(SqlKind.INSERT, getCluster().getTypeFactory());
  }

  @Override
  public RelWriter explainTerms(RelWriter pw) {
    return pw.item("collection", modify.target().name())
        .item("mode", modify.mode().name().toLowerCase(Locale.ROOT))
        .item("rows", rows.size());
  }
}
