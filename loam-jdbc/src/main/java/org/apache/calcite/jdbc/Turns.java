package org.apache.calcite.jdbc;

import io.loam.jdbc.SqlErrors;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one thread at a time use a statement with its results. What ends it never waits: where
 * another thread has the turn, that thread does it when its turn is over.
 */
final class Turns {
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Runnable> wanted = new ConcurrentLinkedQueue<>();

  /** Runs the call, after the turns of other threads; turns may be nested. */
  <T> T take(SqlErrors.Call<T> call) throws SQLException {
    lock.lock();
    try {
      return call.run();
    } finally {
      lock.unlock();
      if (!lock.isHeldByCurrentThread()) {
        runWanted();
      }
    }
  }

  /** Runs the action now, or where another thread has the turn, when that is over. */
  void soon(Runnable action) {
    if (lock.isHeldByCurrentThread()) {
      action.run();
    } else {
      wanted.add(action);
      runWanted();
    }
  }

  /** Whether another thread has the turn; may have changed when the caller reads it. */
  boolean isTakenByAnother() {
    return lock.isLocked() && !lock.isHeldByCurrentThread();
  }

  private void runWanted() {
    while (!wanted.isEmpty() && lock.tryLock()) {
      try {
        Runnable action = wanted.poll();
        if (action != null) {
          action.run();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
