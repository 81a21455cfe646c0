package io.loam.calcite;

import com.google.common.base.Throwables;
import io.loam.store.Traffic;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Plans long chains of ANDs and ORs, for each term of which Calcite's parser recurses. What is
 * nested as deeply in other ways stays an error, since planning it may take for ever.
 */
final class DeepStack {
  /** Address space, taken only as far as it is used. */
  private static final long STACK_BYTES = 128L << 20;

  private static final int LONG_CHAIN = 500;
  private static final int MAX_NESTING = 100;
  private static final Pattern CONNECTIVE =
      Pattern.compile("\\b(AND|OR)\\b", Pattern.CASE_INSENSITIVE);

  private DeepStack() {}

  /**
   * The task's result. Where the stack is too small for it and {@code sql} holds a long chain, it
   * starts over in a thread with a larger one.
   */
  static <T> T call(String sql, Supplier<T> task) {
    try {
      return task.get();
    } catch (RuntimeException | StackOverflowError e) {
      if (isOverflow(e) && isChain(sql)) {
        return withLargeStack(task);
      }
      throw e;
    }
  }

  /** Whether a stack was too small; the parser wraps what it catches. */
  private static boolean isOverflow(Throwable failure) {
    return Throwables.getCausalChain(failure).stream()
        .anyMatch(StackOverflowError.class::isInstance);
  }

  private static boolean isChain(String sql) {
    int depth = 0;
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth > MAX_NESTING) {
        return false;
      }
    }
    return CONNECTIVE.matcher(sql).results().limit(LONG_CHAIN).count() == LONG_CHAIN;
  }

  private static <T> T withLargeStack(Supplier<T> task) {
    FutureTask<T> future = new FutureTask<>(task::get);
    Thread thread = new Thread(null, Traffic.ofCaller(future), "loam-planner", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true; // planning ends by itself
        } catch (ExecutionException e) {
          throw rethrown(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }
}
