package org.apache.calcite.jdbc;

import io.loam.jdbc.SqlErrors;
import java.sql.SQLException;

/**
 * Counts who uses something that one thread may close while others use it: it ends when it is
 * closed and its last user has left.
 */
final class Usage {
  private final String name;
  private final Runnable end;
  private int users;
  private boolean closed;

  /**
   * @param name what is used, as errors tell it
   * @param end runs once, in the thread that closes or leaves last
   */
  Usage(String name, Runnable end) {
    this.name = name;
    this.end = end;
  }

  /** Whether there is one more user now; false where it is closed. */
  synchronized boolean enter() {
    if (!closed) {
      users++;
    }
    return !closed;
  }

  /** Runs the call; if it is closed meanwhile, what the call uses lasts to the call's end. */
  <T> T during(SqlErrors.Call<T> call) throws SQLException {
    if (!enter()) {
      throw Refusals.closed(name);
    }
    try {
      return SqlErrors.translate(call);
    } finally {
      leave();
    }
  }

  void leave() {
    boolean last;
    synchronized (this) {
      users--;
      last = closed && users == 0;
    }
    if (last) {
      end.run();
    }
  }

  /** Lets nobody enter any more; false where that was so before. The caller must leave, too. */
  synchronized boolean close() {
    boolean first = !closed;
    if (first) {
      closed = true;
      users++;
    }
    return first;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** One more user although it is closed: one that was there before, and must end first. */
  synchronized void await() {
    users++;
  }
}
