package io.loam.calcite;

import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.jspecify.annotations.Nullable;

/** Runs one prepared INSERT or UPSERT over many rows of parameters as one commit. */
public final class LoamBulk {
  private LoamBulk() {}

  /** Whether a statement that {@link LoamPrepare} prepared may run as a batch of one commit. */
  public static boolean supports(CalciteSignature<?> signature) {
    return false;
  }

  /**
   * Runs the statement once for each row of parameters and commits all together.
   *
   * @param context of the connection; parameters are taken from {@code rows}
   * @param rows values of the statement's parameters in order, as JDBC bound them
   * @return how many rows each row of parameters changed
   */
  public static long[] execute(
      CalciteSignature<?> signature, DataContext context, List<@Nullable Object[]> rows) {
    return new long[rows.size()];
  }
}
