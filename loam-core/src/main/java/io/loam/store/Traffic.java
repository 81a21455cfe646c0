package io.loam.store;

import java.util.concurrent.atomic.LongAdder;

/**
 * Requests to a remote store and the bytes of objects that they moved.
 *
 * @param requests attempts that failed included
 */
public record Traffic(long requests, long bytesRead, long bytesWritten) {
  private static final ThreadLocal<Account> ACCOUNT = ThreadLocal.withInitial(Account::new);

  /** What a thread, and those that work for it, have caused so far. */
  private static final class Account {
    private final LongAdder requests = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesWritten = new LongAdder();
  }

  /** All that the calling thread has caused so far; differences of it tell what some work took. */
  public static Traffic ofThread() {
    Account account = ACCOUNT.get();
    return new Traffic(account.requests.sum(), account.bytesRead.sum(), account.bytesWritten.sum());
  }

  /** The same task, whose traffic is the calling thread's, whatever thread runs it. */
  public static Runnable ofCaller(Runnable task) {
    Account caller = ACCOUNT.get();
    return () -> {
      Account own = ACCOUNT.get();
      ACCOUNT.set(caller);
      try {
        task.run();
      } finally {
        ACCOUNT.set(own);
      }
    };
  }

  /** What came after {@code earlier}. */
  public Traffic since(Traffic earlier) {
    return new Traffic(
        requests - earlier.requests,
        bytesRead - earlier.bytesRead,
        bytesWritten - earlier.bytesWritten);
  }

  static void request() {
    ACCOUNT.get().requests.increment();
  }

  static void read(long bytes) {
    ACCOUNT.get().bytesRead.add(bytes);
  }

  static void written(long bytes) {
    ACCOUNT.get().bytesWritten.add(bytes);
  }
}
