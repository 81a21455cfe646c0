package io.loam.commit;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.Key;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the changes of one process to one collection's head, in the order in which they come, so
 * that they do not race each other. Batches that are ready while another one lands go together
 * after it, as one version.
 */
public final class CommitQueue {
  /** So that what a version adds to the tail stays small. */
  private static final int LARGEST_GROUP = 32;

  /** Lands batches that have no key in common. */
  @FunctionalInterface
  interface Lander {
    /** Versions of the batches that landed; the others have to be resolved again. */
    IdentityHashMap<PreparedBatch, Long> land(List<PreparedBatch> batches);
  }

  /** How a thread waits for another one. */
  @FunctionalInterface
  interface Waiting {
    Signal await(CompletableFuture<Signal> signal) throws InterruptedException;
  }

  /** What a thread that waits is told. */
  sealed interface Signal {}

  /** To go on itself. */
  private record YourTurn() implements Signal {}

  private record Settled(Optional<Long> version) implements Signal {}

  private record Failed(Throwable failure) implements Signal {}

  private static final class Entry {
    /** Null for a change that is not a batch. */
    final @Nullable PreparedBatch batch;

    final CompletableFuture<Signal> signal = new CompletableFuture<>();

    Entry(@Nullable PreparedBatch batch) {
      this.batch = batch;
    }
  }

  private final Waiting waiting;
  private final Queue<Entry> queue = new ArrayDeque<>();
  private boolean taken;

  public CommitQueue() {
    this(CommitQueue::block);
  }

  CommitQueue(Waiting waiting) {
    this.waiting = waiting;
  }

  /** The version that a batch landed in, or nothing if it has to be resolved again. */
  Optional<Long> land(PreparedBatch batch, Lander lander) {
    Entry entry = new Entry(batch);
    Signal signal = enter(entry);
    if (signal instanceof Settled settled) {
      return settled.version();
    }
    if (signal instanceof Failed failed) {
      throw ofAnother(failed.failure());
    }
    List<Entry> followers = List.of();
    try {
      followers = followers(batch);
      List<PreparedBatch> group = new ArrayList<>(List.of(batch));
      followers.forEach(f -> group.add(f.batch));
      IdentityHashMap<PreparedBatch, Long> versions = lander.land(group);
      followers.forEach(
          f -> f.signal.complete(new Settled(Optional.ofNullable(versions.get(f.batch)))));
      return Optional.ofNullable(versions.get(batch));
    } catch (RuntimeException | Error e) {
      Signal signalled = isCancelled(e) ? new Settled(Optional.empty()) : new Failed(e);
      followers.forEach(f -> f.signal.complete(signalled));
      throw e;
    } finally {
      handOn();
    }
  }

  /** Nothing has landed then, and it is no other thread's affair. */
  private static boolean isCancelled(Throwable failure) {
    return failure instanceof LoamException e && e.code() == ErrorCode.CANCELLED;
  }

  /** Does work while no batch of this process lands. */
  public <T> T alone(Supplier<T> work) {
    enter(new Entry(null));
    try {
      return work.get();
    } finally {
      handOn();
    }
  }

  /** Waits for the turn, or for another thread to have done the work. */
  private Signal enter(Entry entry) {
    if (takeOrWait(entry)) {
      return new YourTurn();
    }
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return waiting.await(entry.signal);
        } catch (InterruptedException e) {
          interrupted = true;
          if (withdraw(entry)) {
            throw new LoamException(
                ErrorCode.CANCELLED, "cancelled while other statements of the table commit", e);
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized boolean takeOrWait(Entry entry) {
    if (taken) {
      queue.add(entry);
      return false;
    }
    taken = true;
    return true;
  }

  /** How many wait now. */
  synchronized int waiting() {
    return queue.size();
  }

  private synchronized boolean withdraw(Entry entry) {
    return queue.remove(entry);
  }

  /** Takes those that can land with a batch, up to the first that needs to be alone. */
  private synchronized List<Entry> followers(PreparedBatch leader) {
    List<Entry> followers = new ArrayList<>();
    Set<Key> keys = new HashSet<>(leader.keys());
    Iterator<Entry> entries = queue.iterator();
    while (entries.hasNext() && followers.size() + 1 < LARGEST_GROUP) {
      Entry entry = entries.next();
      if (entry.batch == null) {
        break;
      }
      if (entry.batch.keys().stream().noneMatch(keys::contains)) {
        keys.addAll(entry.batch.keys());
        followers.add(entry);
        entries.remove();
      }
    }
    return followers;
  }

  private synchronized void handOn() {
    Entry next = queue.poll();
    if (next == null) {
      taken = false;
    } else {
      next.signal.complete(new YourTurn());
    }
  }

  private static Signal block(CompletableFuture<Signal> signal) throws InterruptedException {
    try {
      return signal.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // nothing completes it so
    }
  }

  /** The same failure for a thread whose batch was in the group that met it. */
  private static LoamException ofAnother(Throwable failure) {
    return failure instanceof LoamException e
        ? new LoamException(e.code(), String.valueOf(e.getMessage()), e)
        : new LoamException(
            ErrorCode.COMMIT_UNKNOWN,
            "the thread that committed this statement with others failed; look whether the change is there before running the statement again",
            failure);
  }
}
