package io.loam.calcite;

import java.util.Optional;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/** A plan that runs as it is: without Calcite's optimiser and without generated code. */
interface DirectPlan {

  /** The rows: {@code Object[]}s, or bare values where there is one column. */
  Enumerable<@Nullable Object> execute(StatementContext statement);

  /** The direct plan of a tree of operators, if it has one. */
  static Optional<DirectPlan> of(RelNode rel) {
    if (rel instanceof LoamScan scan) {
      return Optional.of(new ScanExecution(scan.spec())::rows);
    }
    if (rel instanceof LoamInsertValues insert) {
      return Optional.of(
          statement -> Linq4j.asEnumerable(insert.execute(statement)).select(n -> n));
    }
    if (rel instanceof LoamModify modify && modify.getInput() instanceof LoamScan scan) {
      ScanExecution rows = new ScanExecution(scan.spec());
      RowSink sink = modify.sink();
      return Optional.of(statement -> sink.run(rows.rows(statement), statement).select(n -> n));
    }
    return Optional.empty();
  }
}
