package io.loam.jdbc;

import io.loam.calcite.CalciteErrors;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;

/** Makes every SQLException of the driver. */
public final class SqlErrors {
  private SqlErrors() {}

  /** A call that may fail in any way. */
  @FunctionalInterface
  public interface Call<T> {
    T run() throws SQLException;
  }

  /** A call without a result that may fail in any way. */
  @FunctionalInterface
  public interface Action {
    void run() throws SQLException;
  }

  /** Runs the call; whatever it throws comes out as {@link #toSqlException} makes it. */
  public static <T> T translate(Call<T> call) throws SQLException {
    try {
      return call.run();
    } catch (SQLException
        | RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError e) {
      throw toSqlException(e);
    }
  }

  /** Runs the action; whatever it throws comes out as {@link #toSqlException} makes it. */
  public static void translate(Action action) throws SQLException {
    SqlErrors.<Boolean>translate(
        () -> {
          action.run();
          return true;
        });
  }

  /**
   * The exception for a failure, with a SQLSTATE, Loam's vendor code and the subclass of its
   * SQLSTATE's class. What this method made before comes back as it is.
   */
  public static SQLException toSqlException(Throwable failure) {
    if (failure instanceof SQLException e && e.getSQLState() != null) {
      return e;
    }
    LoamException known = null;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (known == null && t instanceof LoamException e) {
        known = e;
      }
      // Channels end with their thread's interrupt; whoever read or wrote then took it for a fault.
      if (isInterrupt(t) && (known == null || known.code() != ErrorCode.COMMIT_UNKNOWN)) {
        return of(
            new LoamException(
                ErrorCode.CANCELLED, "statement was interrupted; run it again if wanted", failure));
      }
    }
    if (known != null) {
      return of(known);
    }
    if (failure instanceof SQLFeatureNotSupportedException) {
      return of(
          new LoamException(
              ErrorCode.UNSUPPORTED,
              "this JDBC call is not supported: call=" + caller(failure) + "; do without it",
              failure));
    }
    return of(CalciteErrors.translate(failure));
  }

  private static boolean isInterrupt(Throwable failure) {
    return failure instanceof ClosedByInterruptException
        || failure instanceof FileLockInterruptionException
        || failure instanceof InterruptedException;
  }

  /** The exception of a query that ran out of its time. */
  public static SQLException timeout(int seconds, Throwable cause) {
    return new SQLTimeoutException(
        "query timeout: seconds=" + seconds + "; narrow the query or raise setQueryTimeout",
        ErrorCode.CANCELLED.sqlState(),
        ErrorCode.CANCELLED.vendorCode(),
        cause);
  }

  private static String caller(Throwable failure) {
    for (StackTraceElement frame : failure.getStackTrace()) {
      if (!frame.getClassName().endsWith("Helper")) {
        return frame.getMethodName();
      }
    }
    return "unknown";
  }

  private static SQLException of(LoamException e) {
    ErrorCode code = e.code();
    String message = String.valueOf(e.getMessage());
    String state = code.sqlState();
    int vendor = code.vendorCode();
    // Not a rollback: the commit may have happened.
    if (code == ErrorCode.COMMIT_UNKNOWN) {
      return new SQLException(message, state, vendor, e);
    }
    return switch (state.substring(0, 2)) {
      case "08" -> new SQLNonTransientConnectionException(message, state, vendor, e);
      case "0A" -> new SQLFeatureNotSupportedException(message, state, vendor, e);
      case "22" -> new SQLDataException(message, state, vendor, e);
      case "23" -> new SQLIntegrityConstraintViolationException(message, state, vendor, e);
      case "40" -> new SQLTransactionRollbackException(message, state, vendor, e);
      case "42" -> new SQLSyntaxErrorException(message, state, vendor, e);
      default ->
          code.remedy() == ErrorCode.Remedy.RETRY
              ? new SQLTransientException(message, state, vendor, e)
              : new SQLException(message, state, vendor, e);
    };
  }
}
