package io.loam.jdbc;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs actions when statements run out of time, on one thread that ends when idle. */
public final class QueryTimer {
  private static final long IDLE_SECONDS = 10;
  private static final ScheduledThreadPoolExecutor EXECUTOR = executor();

  private QueryTimer() {}

  /** Runs the action after so many seconds, unless the future is cancelled before. */
  public static Future<?> after(int seconds, Runnable action) {
    return EXECUTOR.schedule(action, seconds, TimeUnit.SECONDS);
  }

  private static ScheduledThreadPoolExecutor executor() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "loam-query-timer");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }
}
