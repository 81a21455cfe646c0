package org.apache.calcite.jdbc;

import io.loam.Glance;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.QueryTimer;
import io.loam.jdbc.SqlErrors;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One statement's executions, one after another: threads take turns in them. Also cancelling,
 * closing, running out of time, and errors. An execution lasts until its last row is read or its
 * result set is closed.
 */
final class Execution {
  /** What failures of Calcite's and Avatica's own seem to be, which a cancelled statement meets. */
  private static final Set<Integer> CAUSED_BY_CANCELLING =
      Set.of(ErrorCode.INTERNAL.vendorCode(), ErrorCode.UNSUPPORTED.vendorCode());

  private final Turns turns = new Turns();
  private final AtomicBoolean cancelFlag;
  private final Runnable closeStatement;
  private volatile boolean closing;
  private volatile boolean timedOut;
  private volatile int timeoutSeconds;
  private @Nullable Future<?> timer;
  private volatile int number;

  /**
   * @param cancelFlag polled by whatever produces rows
   * @param closeStatement runs when no thread uses the statement any more that is to be closed
   */
  Execution(AtomicBoolean cancelFlag, int timeoutSeconds, Runnable closeStatement) {
    this.cancelFlag = cancelFlag;
    this.closeStatement = closeStatement;
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
      throw Refusals.invalid("negative maximum of rows: rows=" + max + "; give 0 for none");
    }
  }

  static void checkFetchSize(int rows) throws SQLException {
    if (rows < 0) {
      throw Refusals.invalid(
          "negative fetch size: rows=" + rows + "; give 0 to leave it to the driver");
    }
  }

  /** Values come whole: there is no limit other than none. */
  static void checkMaxFieldSize(int max) throws SQLException {
    if (max < 0) {
      throw Refusals.invalid("negative limit of fields: bytes=" + max + "; give 0 for none");
    }
    if (max > 0) {
      throw Refusals.unsupported("limits of fields", "shorten values with SUBSTRING");
    }
  }

  /** Makes the running execution fail soon. Called from any thread. */
  void cancel() {
    cancelFlag.set(true);
  }

  /** Makes a late cancel have no effect: what the execution was for is done. */
  void done() {
    cancelFlag.set(false);
  }

  /** Runs the call while no other thread uses the statement or its results. */
  <T> T turn(SqlErrors.Call<T> call) throws SQLException {
    return turns.take(call);
  }

  /** Cancels what runs, and closes the statement as soon as no thread uses it. */
  void close() throws SQLException {
    SqlErrors.translate(() -> closeThen(() -> {}));
  }

  /** {@link #close}, and then the action, even where closing fails. */
  void closeThen(Runnable then) {
    closing = true;
    cancelFlag.set(true);
    turns.soon(
        () -> {
          try {
            finish();
            closeStatement.run();
          } finally {
            then.run();
          }
        });
  }

  /** Whether the statement is closed, or will be as soon as no thread uses it. */
  boolean isClosing() {
    return closing;
  }

  /**
   * Closes the result of an execution as soon as no thread uses it; another thread that reads it is
   * cancelled.
   */
  void closeResult(int executionNumber, Runnable closeResult) {
    if (executionNumber == number && turns.isTakenByAnother()) {
      cancelFlag.set(true);
    }
    turns.soon(
        () -> {
          finish(executionNumber);
          closeResult.run();
        });
  }

  /**
   * Starts an execution in a turn of this thread; the call must either fail, or end in {@link
   * #finish} sooner or later.
   */
  <T> T run(SqlErrors.Call<T> call) throws SQLException {
    finish();
    int next = number + 1;
    number = next;
    cancelFlag.set(false);
    // After the flag is down, so that a statement that closes now puts it up again.
    if (closing) {
      throw Refusals.closed("statement");
    }
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

  private static SQLException cancelled(String message, Throwable cause) {
    return SqlErrors.toSqlException(new LoamException(ErrorCode.CANCELLED, message, cause));
  }

  private SQLException error(Throwable failure) {
    SQLException error = SqlErrors.toSqlException(failure);
    if (closing && error.getErrorCode() == ErrorCode.CLOSED.vendorCode()) {
      error = cancelled("statement was closed while it ran; run it again on a new one", failure);
    } else if (cancelFlag.get() && CAUSED_BY_CANCELLING.contains(error.getErrorCode())) {
      error = cancelled("statement cancelled; run it again if wanted", failure);
    }
    boolean cancelled = error.getErrorCode() == ErrorCode.CANCELLED.vendorCode();
    return timedOut && cancelled ? SqlErrors.timeout(timeoutSeconds, failure) : error;
  }
}
