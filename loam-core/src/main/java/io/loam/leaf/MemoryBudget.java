package io.loam.leaf;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.error.Futures;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Decoded columns, key indexes and vectors of all collections of a warehouse under one limit of
 * bytes. A value over the limit is handed out and not kept.
 */
public final class MemoryBudget {

  /**
   * What is cached.
   *
   * @param object the path or id of the immutable object that the value was decoded from; unique in
   *     a warehouse
   */
  record Slot(String object, int fieldNumber, Class<?> type) {}

  private record Weighed(Object value, long bytes) {}

  private final AsyncCache<Slot, Weighed> cache;

  public MemoryBudget(long bytes) {
    cache =
        Caffeine.newBuilder()
            .maximumWeight(Math.max(1, bytes >>> 10))
            .weigher(
                (Slot slot, Weighed w) -> (int) Math.min(Integer.MAX_VALUE, (w.bytes >>> 10) + 1))
            .executor(Runnable::run)
            .buildAsync();
  }

  /**
   * The value in the slot, decoded now if it is not there, by one thread for all that ask. Decoding
   * may ask for other slots, so it runs outside the cache's locks.
   */
  <T> T get(Slot slot, Supplier<T> decode, ToLongFunction<T> size) {
    CompletableFuture<Weighed> own = new CompletableFuture<>();
    CompletableFuture<Weighed> other = cache.asMap().putIfAbsent(slot, own);
    Object found = other == null ? decode(own, decode, size) : Futures.join(other).value;
    @SuppressWarnings("unchecked") // the slot's type says what is in it
    T value = (T) slot.type().cast(found);
    return value;
  }

  private static <T> T decode(
      CompletableFuture<Weighed> result, Supplier<T> decode, ToLongFunction<T> size) {
    try {
      T value = decode.get();
      result.complete(new Weighed(value, size.applyAsLong(value)));
      return value;
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e); // also takes it out of the cache
      throw e;
    }
  }

  /** The value in the slot, if it is there. */
  <T> Optional<T> peek(Slot slot, Class<T> type) {
    Weighed w = cache.synchronous().getIfPresent(slot);
    return Optional.ofNullable(w).map(x -> type.cast(x.value));
  }

  void put(Slot slot, Object value, long bytes) {
    cache.synchronous().put(slot, new Weighed(value, bytes));
  }
}
