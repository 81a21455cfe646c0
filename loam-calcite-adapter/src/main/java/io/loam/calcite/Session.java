package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import org.apache.calcite.DataContext;
import org.jspecify.annotations.Nullable;

/**
 * What a connection's settings mean for a statement that it runs.
 *
 * @param readOnly whether statements that write are refused
 * @param transaction that the statement is part of; null in auto-commit mode
 */
public record Session(boolean readOnly, @Nullable SqlTransaction transaction) {
  /** Under this name a connection's {@link DataContext} has its session. */
  public static final String KEY = "loam.session";

  private static final Session DEFAULT = new Session(false, null);

  static Session of(DataContext connection) {
    return connection.get(KEY) instanceof Session session ? session : DEFAULT;
  }

  void checkWritable() {
    if (readOnly) {
      throw new LoamException(
          ErrorCode.READ_ONLY,
          "connection is read only; call setReadOnly(false) before statements that write");
    }
  }

  /** Refuses what cannot be part of a transaction. */
  void checkOutsideTransaction(String statement) {
    checkWritable();
    if (transaction != null) {
      throw new LoamException(
          ErrorCode.TRANSACTION_ACTIVE,
          "statement cannot be part of a transaction: statement="
              + statement
              + "; COMMIT first, and run it in auto-commit mode");
    }
  }
}
