package org.apache.calcite.jdbc;

import io.loam.Glance;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.QueryTimer;
import io.loam.jdbc.SqlErrors;
import java.sql.SQLException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One statement's executions, one after another: cancelling, running out of time, and errors. An
 * execution lasts until its last row is read or its result set is closed.
 */
final class Execution {
  private final AtomicBoolean cancelFlag;
  private volatile boolean timedOut;
  private int timeoutSeconds;
  private @Nullable Future<?> timer;
  private int number;

  /**
   * @param cancelFlag polled by whatever produces rows
   */
  Execution(AtomicBoolean cancelFlag, int timeoutSeconds) {
    this.cancelFlag = cancelFlag;
    this.timeoutSeconds = timeoutSeconds;
  }

  int timeoutSeconds() {
    return timeoutSeconds;
  }

  void setTimeoutSeconds(int seconds) {
    if (seconds < 0) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "negative query timeout: seconds=" + seconds + "; give 0 for none");
    }
    timeoutSeconds = seconds;
  }

  static void checkMaxRows(long max) throws SQLException {
    if (max < 0) {
      throw SqlErrors.toSqlException(
          new LoamException(
              ErrorCode.INVALID_ARGUMENT,
              "negative maximum of rows: rows=" + max + "; give 0 for none"));
    }
  }

  static void checkFetchSize(int rows) throws SQLException {
    if (rows < 0) {
      throw SqlErrors.toSqlException(
          new LoamException(
              ErrorCode.INVALID_ARGUMENT,
              "negative fetch size: rows=" + rows + "; give 0 to leave it to the driver"));
    }
  }

  /** Values come whole: there is no limit other than none. */
  static void checkMaxFieldSize(int max) throws SQLException {
    if (max < 0) {
      throw SqlErrors.toSqlException(
          new LoamException(
              ErrorCode.INVALID_ARGUMENT,
              "negative limit of fields: bytes=" + max + "; give 0 for none"));
    }
    if (max > 0) {
      throw LoamConnection.unsupported("limits of fields", "shorten values with SUBSTRING");
    }
  }

  /** Makes the running execution fail soon. Called from any thread. */
  void cancel() {
    cancelFlag.set(true);
  }

  /** Starts an execution; the call must either fail, or end in {@link #finish} sooner or later. */
  <T> T run(SqlErrors.Call<T> call) throws SQLException {
    finish();
    number++;
    cancelFlag.set(false);
    timedOut = false;
    if (timeoutSeconds > 0) {
      timer =
          QueryTimer.after(
              timeoutSeconds,
              () -> {
                timedOut = true;
                cancelFlag.set(true);
              });
    }
    return Glance.during(() -> step(call));
  }

  /** Runs a part of the execution; a failure ends it. */
  <T> T step(SqlErrors.Call<T> call) throws SQLException {
    try {
      return call.run();
    } catch (SQLException
        | RuntimeException
        | LinkageError
        | AssertionError
        | StackOverflowError
        | OutOfMemoryError e) {
      finish();
      throw error(e);
    }
  }

  /** Fails where the execution was cancelled or is out of time. */
  void check() throws SQLException {
    if (cancelFlag.get()) {
      finish();
      throw error(
          new LoamException(ErrorCode.CANCELLED, "statement cancelled; run it again if wanted"));
    }
  }

  /** Which execution of the statement this is. */
  int number() {
    return number;
  }

  /** Ends the execution of that number; a later one goes on. */
  void finish(int finished) {
    if (finished == number) {
      finish();
    }
  }

  /** Ends the execution. */
  void finish() {
    Future<?> running = timer;
    if (running != null) {
      running.cancel(false);
      timer = null;
    }
  }

  private SQLException error(Throwable failure) {
    SQLException error = SqlErrors.toSqlException(failure);
    boolean cancelled = error.getErrorCode() == ErrorCode.CANCELLED.vendorCode();
    return timedOut && cancelled ? SqlErrors.timeout(timeoutSeconds, failure) : error;
  }
}
