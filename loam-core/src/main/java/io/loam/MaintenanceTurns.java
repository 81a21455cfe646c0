package io.loam;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Maintenance of one collection by one process, one after another. Work that somebody asked for
 * waits only until work in the background comes to its next checkpoint.
 */
final class MaintenanceTurns {
  private final ReentrantLock turn = new ReentrantLock();

  /** Does work that somebody asked for, in its turn. */
  <T> T run(Supplier<T> work) {
    turn.lock();
    try {
      return work.get();
    } finally {
      turn.unlock();
    }
  }

  /**
   * Does work in the background, unless other work is being done.
   *
   * @param work is given a checkpoint, which fails with {@code CANCELLED} once others wait
   */
  void runUnlessWanted(Consumer<Runnable> work) {
    if (turn.tryLock()) {
      try {
        work.accept(this::checkUnwanted);
      } finally {
        turn.unlock();
      }
    }
  }

  private void checkUnwanted() {
    if (turn.hasQueuedThreads()) {
      throw new LoamException(
          ErrorCode.CANCELLED, "other maintenance goes first; the rest is done later");
    }
  }
}
