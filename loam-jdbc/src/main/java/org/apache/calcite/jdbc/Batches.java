package org.apache.calcite.jdbc;

import java.sql.BatchUpdateException;
import java.sql.SQLException;

/** How batches fail. */
final class Batches {
  private Batches() {}

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
