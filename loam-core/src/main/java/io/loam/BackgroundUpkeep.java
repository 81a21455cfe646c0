package io.loam;

import io.loam.commit.CommitResult;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Upkeep;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the collections of one warehouse up in one daemon thread, after commits of this process
 * that may have made it due. The thread starts with the first work. Nothing that it meets reaches
 * those who write.
 */
final class BackgroundUpkeep implements AutoCloseable {
  /** Commits after which it is looked whether upkeep is due. */
  static final int COMMITS = 32;

  /** Likewise, changed rows. */
  static final int ROWS = 5_000;

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(30);

  private final boolean enabled;
  private final Duration longestClose;

  /** What is to be looked at, oldest first; guarded by this, as is all below. */
  private final Set<Subject> waiting = new LinkedHashSet<>();

  private @Nullable Thread thread;
  private boolean closed;

  /** Whether the thread does nothing any more. */
  private boolean ended;

  /** What the thread does last; null for nothing. */
  private @Nullable Runnable last;

  private BackgroundUpkeep(boolean enabled, Duration longestClose) {
    this.enabled = enabled;
    this.longestClose = longestClose;
  }

  static BackgroundUpkeep on() {
    return on(LONGEST_CLOSE);
  }

  /**
   * Likewise.
   *
   * @param longestClose how long {@link #closeThen} waits at most
   */
  static BackgroundUpkeep on(Duration longestClose) {
    return new BackgroundUpkeep(true, longestClose);
  }

  static BackgroundUpkeep off() {
    return new BackgroundUpkeep(false, LONGEST_CLOSE);
  }

  /**
   * A collection to keep up.
   *
   * @param work does what is due, and calls its checkpoint often
   */
  Subject subject(Consumer<Runnable> work) {
    return new Subject(work);
  }

  /** A collection that is kept up. */
  final class Subject {
    private final Consumer<Runnable> work;
    private int commits;
    private long rows;
    private Upkeep.@Nullable Failure failure;

    private Subject(Consumer<Runnable> work) {
      this.work = work;
    }

    /** Told of each commit. */
    void committed(CommitResult result) {
      synchronized (BackgroundUpkeep.this) {
        commits++;
        rows += result.inserted() + result.updated() + result.deleted();
        if (enabled && !closed && (commits >= COMMITS || rows >= ROWS)) {
          commits = 0;
          rows = 0;
          waiting.add(this);
          wake();
        }
      }
    }

    /** The last failure, unless it went well since. */
    Optional<Upkeep.Failure> failure() {
      synchronized (BackgroundUpkeep.this) {
        return Optional.ofNullable(failure);
      }
    }

    private void run() {
      Upkeep.Failure failed = null;
      try {
        work.accept(BackgroundUpkeep.this::checkOpen);
      } catch (LoamException e) {
        if (e.code() == ErrorCode.CONFLICT || e.code() == ErrorCode.CANCELLED) {
          return; // others do the work, or it is done after later commits
        }
        failed = failure(e);
      } catch (RuntimeException | Error e) {
        failed = failure(e);
      }
      synchronized (BackgroundUpkeep.this) {
        failure = failed;
      }
    }

    private Upkeep.Failure failure(Throwable e) {
      return new Upkeep.Failure(
          e instanceof LoamException && e.getMessage() != null ? e.getMessage() : e.toString(),
          System.currentTimeMillis());
    }
  }

  private void wake() {
    if (thread == null) {
      thread = new Thread(this::run, "loam-upkeep");
      thread.setDaemon(true);
      thread.start();
    }
    notifyAll();
  }

  private void run() {
    for (Subject next = next(); next != null; next = next()) {
      next.run();
    }
    Runnable left;
    synchronized (this) {
      ended = true;
      left = last;
    }
    if (left != null) {
      left.run();
    }
  }

  /** Waits for the next one; null once this is closed. */
  private synchronized @Nullable Subject next() {
    try {
      while (!closed && waiting.isEmpty()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
    if (closed) {
      return null;
    }
    Subject next = waiting.iterator().next();
    waiting.remove(next);
    return next;
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw new LoamException(ErrorCode.CANCELLED, "warehouse is being closed; open it again");
    }
  }

  /** Ends the work at its next checkpoint, and waits for that. */
  @Override
  public void close() {
    closeThen(() -> {});
  }

  /**
   * Ends the work at its next checkpoint, and waits for that, but not for long. What is done last
   * takes away what the work needs; if the work is still in the middle of something by then, it is
   * done when that ends, by its thread.
   */
  void closeThen(Runnable then) {
    Thread running;
    synchronized (this) {
      closed = true;
      running = thread;
      notifyAll();
    }
    if (running != null) {
      try {
        TimeUnit.MILLISECONDS.timedJoin(running, longestClose.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    synchronized (this) {
      if (running != null && !ended) {
        last = then;
        return;
      }
    }
    then.run();
  }
}
