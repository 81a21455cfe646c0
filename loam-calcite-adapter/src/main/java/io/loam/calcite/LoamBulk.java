package io.loam.calcite;

import io.loam.commit.WriteBatch;
import io.loam.error.LoamException;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/** Runs one prepared INSERT or UPSERT over many rows of parameters as one statement. */
public final class LoamBulk {
  private LoamBulk() {}

  /** Whether a statement that {@link LoamPrepare} prepared can run as one over many rows. */
  public static boolean supports(CalciteSignature<?> signature) {
    return signature instanceof LoamSignature<?> loam && loam.insertTarget().isPresent();
  }

  /**
   * Runs the statement once for each row of parameters and writes all together.
   *
   * @param signature that {@link #supports} accepts
   * @param context of the connection; parameters are taken from {@code rows}
   * @param rows values of the statement's parameters in order, as JDBC bound them
   * @return how many rows each row of parameters changed
   */
  public static long[] execute(
      CalciteSignature<?> signature, DataContext context, List<@Nullable Object[]> rows) {
    LoamSignature<?> statement = (LoamSignature<?>) signature;
    try {
      try {
        return run(statement, context, rows);
      } catch (StalePlanException e) {
        return run(statement.replanned(context), context, rows);
      } catch (LoamException e) {
        if (!statement.isBehind(e)) {
          throw e;
        }
        return run(statement.replanned(context), context, rows);
      }
    } catch (RuntimeException e) {
      throw CalciteErrors.translate(e);
    }
  }

  /** The number of rows that {@link #execute} writes, once it is asked for. */
  static <T> Enumerable<T> rowCount(
      LoamSignature<T> statement, DataContext context, List<@Nullable Object[]> rows) {
    return new AbstractEnumerable<>() {
      @Override
      @SuppressWarnings("unchecked") // The one column is a long.
      public Enumerator<T> enumerator() {
        long count = Arrays.stream(execute(statement, context, rows)).sum();
        return (Enumerator<T>) Linq4j.singletonEnumerator((Object) count);
      }
    };
  }

  private static long[] run(
      LoamSignature<?> statement, DataContext context, List<@Nullable Object[]> rows) {
    RowSink target = statement.insertTarget().orElseThrow();
    WriteBatch batch = target.newBatch();
    long[] counts = new long[rows.size()];
    for (int i = 0; i < counts.length; i++) {
      try {
        counts[i] = collect(statement, context, rows.get(i), batch);
      } catch (LoamException e) {
        throw counts.length == 1 ? e : e.with("row=" + (i + 1));
      }
    }
    if (!batch.isEmpty()) {
      target.write(batch, Session.of(context), statement.warehouse());
    }
    return counts;
  }

  private static long collect(
      LoamSignature<?> statement,
      DataContext connection,
      @Nullable Object[] parameters,
      WriteBatch batch) {
    try (StatementContext context = statement.statement(connection, parameters, batch);
        Enumerator<?> result = statement.run(context).enumerator()) {
      long count = 0;
      while (result.moveNext()) {
        count += ((Number) result.current()).longValue();
      }
      return count;
    }
  }
}
