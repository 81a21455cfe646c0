package io.loam.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs actors on threads of their own, but one at a time: at each of its steps an actor waits until
 * it is chosen. What is chosen depends on a seed only, so a run can be had again.
 */
final class Scheduler {
  private final Random random;
  private final List<Actor> alive = new ArrayList<>();
  private final Semaphore stopped = new Semaphore(0);
  private final ThreadLocal<Actor> current = new ThreadLocal<>();

  Scheduler(long seed) {
    this.random = new Random(seed);
  }

  private static final class Actor {
    private final Semaphore chosen = new Semaphore(0);
    private boolean ended;
    private Throwable failure;
  }

  /** The source of all that happens by chance; for the actor that runs, or between steps. */
  Random random() {
    return random;
  }

  /** Adds an actor, which begins when it is first chosen. */
  void add(Runnable work) {
    Actor actor = new Actor();
    alive.add(actor);
    Thread thread =
        new Thread(
            () -> {
              current.set(actor);
              actor.chosen.acquireUninterruptibly();
              try {
                work.run();
              } catch (Throwable e) {
                actor.failure = e;
              }
              actor.ended = true;
              stopped.release();
            },
            "actor " + alive.size());
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether an actor asks. */
  boolean isActing() {
    return current.get() != null;
  }

  /** Lets others run before the calling actor goes on; nothing outside of actors. */
  void step() {
    Actor actor = current.get();
    if (actor != null) {
      stopped.release();
      actor.chosen.acquireUninterruptibly();
      // Pauses before another attempt, which would take real time, end at once.
      LockSupport.unpark(Thread.currentThread());
    }
  }

  /**
   * Runs all actors to their ends.
   *
   * @param between called before each step
   */
  void run(Runnable between) {
    while (!alive.isEmpty()) {
      between.run();
      Actor next = alive.get(random.nextInt(alive.size()));
      next.chosen.release();
      stopped.acquireUninterruptibly();
      if (next.failure != null) {
        throw new AssertionError("an actor failed", next.failure);
      }
      if (next.ended) {
        alive.remove(next);
      }
    }
  }
}
