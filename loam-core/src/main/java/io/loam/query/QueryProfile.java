package io.loam.query;

import io.loam.leaf.CacheUse;
import io.loam.store.Traffic;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a request did, as EXPLAIN ANALYZE shows it: counts by name, and how long its steps took.
 * Used by one thread.
 */
public final class QueryProfile {
  private final Map<String, Set<String>> notes = new LinkedHashMap<>();
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final Map<String, Long> nanos = new LinkedHashMap<>();

  /** Notes something other than a number; whoever has several legs or runs may note several. */
  public void note(String name, String value) {
    notes.computeIfAbsent(name, n -> new LinkedHashSet<>()).add(value);
  }

  /** Adds to a count. */
  public void add(String name, long n) {
    counts.merge(name, n, Long::sum);
  }

  /** Does a step, and adds the time that it took. */
  <T extends @Nullable Object> T timed(String step, Supplier<T> work) {
    long start = System.nanoTime();
    try {
      return work.get();
    } finally {
      nanos.merge(step, System.nanoTime() - start, Long::sum);
    }
  }

  /** Does some of the request's work, and adds what it asked of caches and of a remote store. */
  <T extends @Nullable Object> T watched(Supplier<T> work) {
    CacheUse cacheBefore = CacheUse.ofThread();
    Traffic storeBefore = Traffic.ofThread();
    T result = work.get();
    CacheUse cache = CacheUse.ofThread().since(cacheBefore);
    Traffic store = Traffic.ofThread().since(storeBefore);
    add("cache hits", cache.hits());
    add("decoded", cache.decoded());
    if (store.requests() > 0) {
      add("requests", store.requests());
      add("bytes", store.bytesRead());
    }
    return result;
  }

  /** Counts by name, in the order in which they first came up. */
  public Map<String, Long> counts() {
    return Map.copyOf(counts);
  }

  /** As {@code name=[note, note], name=count, name=count}, then {@code step=milliseconds ms}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    notes.forEach(
        (name, n) -> text.append(text.isEmpty() ? "" : ", ").append(name).append('=').append(n));
    counts.forEach(
        (name, n) -> text.append(text.isEmpty() ? "" : ", ").append(name).append('=').append(n));
    nanos.forEach(
        (step, n) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(step)
                .append(String.format(Locale.ROOT, "=%.3f ms", n / 1e6)));
    return text.toString();
  }
}
