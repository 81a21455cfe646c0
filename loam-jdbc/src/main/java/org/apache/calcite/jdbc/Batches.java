package org.apache.calcite.jdbc;

import io.loam.error.LoamException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;

/** How batches fail. */
final class Batches {
  private Batches() {}

  /**
   * The failure of a command of a batch.
   *
   * @param counts of the commands before it that took effect
   * @param number of the command, from 1 on
   */
  static BatchUpdateException failure(SQLException cause, long[] counts, int number) {
    String message = String.valueOf(cause.getMessage());
    return new BatchUpdateException(
        LoamException.detailed(message, "command=" + number),
        cause.getSQLState(),
        cause.getErrorCode(),
        counts,
        cause);
  }

  /**
   * The failure of a batch.
   *
   * @param counts of the commands before the one that failed; what they changed stays
   */
  static BatchUpdateException failure(SQLException cause, long[] counts) {
    return new BatchUpdateException(
        cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), counts, cause);
  }
}
