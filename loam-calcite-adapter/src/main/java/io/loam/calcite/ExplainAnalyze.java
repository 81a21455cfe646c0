package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.store.Traffic;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;

/**
 * EXPLAIN ANALYZE: runs a query to its last row, and gives its plan, the number of rows, the time,
 * and what each scan did.
 */
final class ExplainAnalyze {
  private static final Pattern STATEMENT =
      Pattern.compile(
          "^\\s*EXPLAIN\\s+ANALYZE\\s+(.*)$", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final Pattern EXPLANATION =
      Pattern.compile("^\\s*EXPLAIN\\b", Pattern.CASE_INSENSITIVE);

  private ExplainAnalyze() {}

  /** Whether a statement's answer is a plan, which is another one as soon as an index comes. */
  static boolean isExplanation(String sql) {
    return EXPLANATION.matcher(sql).find();
  }

  /** The query of an EXPLAIN ANALYZE statement. */
  static Optional<String> query(String sql) {
    Matcher matcher = STATEMENT.matcher(sql);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /**
   * The statement that analyses a query.
   *
   * @param explain EXPLAIN PLAN of the query
   * @param planning what planning the query asked of a remote store
   */
  static <T> CalciteSignature<T> signature(
      String sql, CalciteSignature<T> explain, LoamSignature<?> query, Traffic planning) {
    if (query.statementType != Meta.StatementType.SELECT) {
      throw new LoamException(
          ErrorCode.UNSUPPORTED, "EXPLAIN ANALYZE would change data; use EXPLAIN PLAN FOR");
    }
    return new CalciteSignature<>(
        sql,
        query.parameters,
        query.internalParameters,
        explain.rowType,
        explain.columns,
        explain.cursorFactory,
        explain.rootSchema,
        explain.getCollationList(),
        -1,
        data -> new Analysis<>(explain, query, planning, data),
        Meta.StatementType.SELECT);
  }

  private static final class Analysis<T> extends AbstractEnumerable<T> {
    private final CalciteSignature<T> explain;
    private final LoamSignature<?> query;
    private final Traffic planning;
    private final DataContext data;

    Analysis(
        CalciteSignature<T> explain, LoamSignature<?> query, Traffic planning, DataContext data) {
      this.explain = explain;
      this.query = query;
      this.planning = planning;
      this.data = data;
    }

    @Override
    @SuppressWarnings("unchecked") // The row has the shape of EXPLAIN's.
    public Enumerator<T> enumerator() {
      StatementContext statement = StatementContext.of(data);
      ScanProfiles profiles = new ScanProfiles();
      statement.collect(profiles);
      Traffic before = Traffic.ofThread();
      long start = System.nanoTime();
      long rows = count(query.run(statement));
      double millis = (System.nanoTime() - start) / 1e6;
      String store = store(Traffic.ofThread().since(before));
      T plan = explain.enumerable(data).first();
      String text =
          "%srows=%d, milliseconds=%.3f%n%s%s"
              .formatted(
                  plan instanceof Object[] row ? row[0] : plan, rows, millis, store, profiles);
      return (Enumerator<T>)
          Linq4j.singletonEnumerator(plan instanceof Object[] ? new Object[] {text} : text);
    }

    /** A line about a remote store, empty for a folder of this machine. */
    private String store(Traffic running) {
      return planning.requests() + running.requests() == 0
          ? ""
          : "store: planningRequests=%d, requests=%d, bytesRead=%d%n"
              .formatted(planning.requests(), running.requests(), running.bytesRead());
    }

    private static long count(Enumerable<?> rows) {
      long count = 0;
      try (Enumerator<?> enumerator = rows.enumerator()) {
        while (enumerator.moveNext()) {
          count++;
        }
      }
      return count;
    }
  }
}
