package org.apache.calcite.jdbc;

import io.loam.Warehouse;
import io.loam.calcite.Session;
import io.loam.calcite.SqlTransaction;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.jdbc.SqlErrors;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a connection's statements belong to, and whether they may write. */
final class Transactions {
  private final Warehouse warehouse;
  private final Usage usage;
  private boolean autoCommit = true;
  private boolean readOnly;

  /** Where there is none, the next statement of a connection without auto-commit begins one. */
  private @Nullable SqlTransaction transaction;

  /** Of threads that run statements of auto-commit mode as one commit. */
  private final Map<Thread, SqlTransaction> batches = new ConcurrentHashMap<>();

  /**
   * @param usage of the connection, which lasts while a transaction ends
   */
  Transactions(Warehouse warehouse, Usage usage) {
    this.warehouse = warehouse;
    this.usage = usage;
  }

  synchronized Session session() {
    SqlTransaction batch = batches.get(Thread.currentThread());
    if (batch == null && !autoCommit && transaction == null) {
      transaction = new SqlTransaction(warehouse);
    }
    return new Session(readOnly, batch == null ? transaction : batch);
  }

  /** Runs statements together: in the transaction, or as one commit in auto-commit mode. */
  <T> T together(SqlErrors.Call<T> statements) throws SQLException {
    Thread thread = Thread.currentThread();
    SqlTransaction own;
    synchronized (this) {
      if (!autoCommit || batches.containsKey(thread)) {
        own = null;
      } else {
        own = new SqlTransaction(warehouse);
        batches.put(thread, own);
      }
    }
    if (own == null) {
      return statements.run();
    }
    try {
      return usage.during(
          () -> {
            T result = statements.run();
            own.commit();
            return result;
          });
    } finally {
      own.rollback();
      batches.remove(thread);
    }
  }

  synchronized boolean isAutoCommit() {
    return autoCommit;
  }

  /** Turning auto-commit on commits what there is. */
  void setAutoCommit(boolean on) throws SQLException {
    if (on) {
      end(SqlTransaction::commit);
    }
    synchronized (this) {
      autoCommit = on;
    }
  }

  void commit() throws SQLException {
    checkTransactional("commit");
    end(SqlTransaction::commit);
  }

  void rollback() throws SQLException {
    checkTransactional("rollback");
    end(SqlTransaction::rollback);
  }

  /** Rolls back what there is, when the connection ends. */
  void abandon() {
    SqlTransaction last = take();
    if (last != null) {
      last.rollback();
    }
  }

  private synchronized void checkTransactional(String what) throws SQLException {
    if (autoCommit) {
      throw SqlErrors.toSqlException(
          new LoamException(
              ErrorCode.NO_TRANSACTION,
              what + " in auto-commit mode; call setAutoCommit(false) before the statements"));
    }
  }

  /** Ends the transaction if there is one, even where ending it fails. */
  private void end(Consumer<SqlTransaction> how) throws SQLException {
    SqlTransaction ended = take();
    if (ended != null) {
      usage.<Boolean>during(
          () -> {
            how.accept(ended);
            return true;
          });
    }
  }

  private synchronized @Nullable SqlTransaction take() {
    SqlTransaction taken = transaction;
    transaction = null;
    return taken;
  }

  synchronized boolean isReadOnly() {
    return readOnly;
  }

  /** Refuses statements that write from now on. */
  synchronized void setReadOnly(boolean on) throws SQLException {
    if (transaction != null && transaction.hasBegun()) {
      throw SqlErrors.toSqlException(
          new LoamException(
              ErrorCode.TRANSACTION_ACTIVE,
              "setReadOnly within a transaction; commit or roll back first"));
    }
    readOnly = on;
  }
}
