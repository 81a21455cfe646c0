package org.apache.calcite.jdbc;

/**
 * Counts who uses something that one thread may close while others use it: it ends when it is
 * closed and its last user has left.
 */
final class Usage {
  private final Runnable end;
  private int users;
  private boolean closed;

  /**
   * @param end runs once, in the thread that closes or leaves last
   */
  Usage(Runnable end) {
    this.end = end;
  }

  /** Whether there is one more user now; false where it is closed. */
  synchronized boolean enter() {
    if (!closed) {
      users++;
    }
    return !closed;
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
