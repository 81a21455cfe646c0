package io.loam.query;

import io.loam.doc.DocSet;
import io.loam.error.Futures;
import io.loam.leaf.CacheUse;
import io.loam.store.Traffic;
import io.loam.vector.Parts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/**
 * Work on several leaves by the calling thread and, where there is much of it, by idle threads of
 * the driver's one pool, which has a thread less than there are processors. A caller never waits
 * for a thread to become idle: what nobody has begun it does itself, so callers cannot block each
 * other.
 */
final class LeafWork {
  /** Handing work to another thread costs as much as looking at some thousands of documents. */
  static final long LEAST_SHARED = 50_000;

  /** Parts that are worth making of a lot of work. */
  static final int PARTS = Runtime.getRuntime().availableProcessors();

  /** Callers that are at work now: with one for each processor, none is idle. */
  private static final AtomicInteger CALLERS = new AtomicInteger();

  private static final int IDLE_SECONDS = 10;
  private static final int HELPERS = PARTS - 1;

  /** Threads that nobody needs end; a task that finds no idle thread is not run at all. */
  private static final ThreadPoolExecutor POOL =
      new ThreadPoolExecutor(
          0,
          Math.max(1, HELPERS),
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          work -> {
            Thread thread = new Thread(work, "loam-leaves");
            thread.setDaemon(true);
            return thread;
          },
          new ThreadPoolExecutor.DiscardPolicy());

  private LeafWork() {}

  private record Done<T>(T result, Thread by, CacheUse cache) {}

  /**
   * The results for 0 to before {@code count}, in that order; the first error in that order is
   * thrown once all have ended.
   *
   * @param documents about how many documents one of them looks at
   */
  static <T> List<T> map(int count, IntToLongFunction documents, IntFunction<T> work) {
    int callers = CALLERS.incrementAndGet();
    try {
      long all = 0;
      for (int i = 0; i < count; i++) {
        all += documents.applyAsLong(i);
      }
      int idle = Math.max(0, PARTS - callers);
      return map(count, all < LEAST_SHARED ? 0 : Math.min(idle, count - 1), work);
    } finally {
      CALLERS.decrementAndGet();
    }
  }

  private static <T> List<T> map(int count, int helpers, IntFunction<T> work) {
    List<CompletableFuture<Done<T>>> futures = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      futures.add(new CompletableFuture<>());
    }
    AtomicInteger next = new AtomicInteger();
    Runnable some =
        () -> {
          for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            complete(futures.get(i), i, work);
          }
        };
    for (int i = 0; i < helpers; i++) {
      POOL.execute(Traffic.ofCaller(some));
    }
    some.run();
    CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
        .exceptionally(e -> null)
        .join();
    List<T> results = new ArrayList<>(count);
    for (CompletableFuture<Done<T>> future : futures) {
      Done<T> done = Futures.join(future);
      if (done.by != Thread.currentThread()) {
        CacheUse.addToThread(done.cache);
      }
      results.add(done.result);
    }
    return results;
  }

  /**
   * Work on documents of leaves, in parts if there are many. Each part has some of each leaf's
   * documents, mostly all or none.
   *
   * @param documents how many documents another step could look at in the time that this takes
   */
  static <T> List<T> mapParts(List<DocSet> sets, long documents, Function<List<DocSet>, T> work) {
    return inParts(
        documents, (part, parts) -> work.apply(parts == 1 ? sets : part(sets, part, parts)));
  }

  /** As {@link Parts} says: one part, or {@link #PARTS} if there is much work. */
  static <T> List<T> inParts(long documents, Parts.Work<T> work) {
    int parts = documents < LEAST_SHARED ? 1 : PARTS;
    return parts == 1
        ? List.of(work.part(0, 1))
        : map(parts, part -> documents / parts, part -> work.part(part, parts));
  }

  private static List<DocSet> part(List<DocSet> sets, int part, int parts) {
    long all = sets.stream().mapToLong(DocSet::cardinality).sum();
    long first = all * part / parts;
    long end = all * (part + 1) / parts;
    List<DocSet> ofPart = new ArrayList<>(sets.size());
    for (DocSet set : sets) {
      ofPart.add(set.between(place(set, first), place(set, end)));
      first -= set.cardinality();
      end -= set.cardinality();
    }
    return ofPart;
  }

  /** About where so many members of a set have come. */
  private static int place(DocSet set, long members) {
    if (members <= 0) {
      return 0;
    }
    return members >= set.cardinality()
        ? set.size()
        : (int) (set.size() * members / set.cardinality());
  }

  private static <T> void complete(CompletableFuture<Done<T>> future, int i, IntFunction<T> work) {
    CacheUse cacheBefore = CacheUse.ofThread();
    try {
      T result = work.apply(i);
      future.complete(
          new Done<>(result, Thread.currentThread(), CacheUse.ofThread().since(cacheBefore)));
    } catch (RuntimeException | Error e) {
      future.completeExceptionally(e);
    }
  }
}
