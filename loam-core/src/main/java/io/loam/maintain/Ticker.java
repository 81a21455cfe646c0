package io.loam.maintain;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A daemon thread that does some work again and again until it is closed. */
public final class Ticker implements AutoCloseable {
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /**
   * @param pauseMillis before each time
   */
  public Ticker(String name, long pauseMillis, Runnable work) {
    thread = new Thread(() -> run(pauseMillis, work), name);
    thread.setDaemon(true);
    thread.start();
  }

  private void run(long pauseMillis, Runnable work) {
    try {
      while (!closed.await(pauseMillis, TimeUnit.MILLISECONDS)) {
        work.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends after the work that is running. */
  @Override
  public void close() {
    closed.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
