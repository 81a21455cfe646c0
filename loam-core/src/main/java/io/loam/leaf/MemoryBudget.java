package io.loam.leaf;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.loam.error.Futures;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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

  private final Cache<Slot, Weighed> cache;
  private final Map<Slot, CompletableFuture<Weighed>> decoding = new ConcurrentHashMap<>();

  private final long limitBytes;

  public MemoryBudget(long bytes) {
    limitBytes = bytes;
    cache =
        Caffeine.newBuilder()
            .maximumWeight(Math.max(1, bytes >>> 10))
            .weigher(
                (Slot slot, Weighed w) -> (int) Math.min(Integer.MAX_VALUE, (w.bytes >>> 10) + 1))
            .executor(Runnable::run)
            .build();
  }

  long limitBytes() {
    return limitBytes;
  }

  /**
   * The value in the slot, decoded now if it is not there. Decoding may ask for other slots;
   * threads that want the same slot wait for the first of them.
   */
  <T> T get(Slot slot, Supplier<T> decode, ToLongFunction<T> size) {
    Weighed cached = cache.getIfPresent(slot);
    if (cached != null) {
      CacheUse.hit();
    } else {
      CacheUse.decode();
      CompletableFuture<Weighed> mine = new CompletableFuture<>();
      CompletableFuture<Weighed> first = decoding.putIfAbsent(slot, mine);
      cached = first == null ? decode(slot, decode, size, mine) : Futures.join(first);
    }
    @SuppressWarnings("unchecked") // the slot's type says what is in it
    T value = (T) slot.type().cast(cached.value);
    return value;
  }

  private <T> Weighed decode(
      Slot slot, Supplier<T> decode, ToLongFunction<T> size, CompletableFuture<Weighed> waiting) {
    try {
      // Another thread may have put it there just before this one's turn came.
      Weighed weighed = cache.getIfPresent(slot);
      if (weighed == null) {
        T value = decode.get();
        weighed = new Weighed(value, size.applyAsLong(value));
        cache.put(slot, weighed);
      }
      waiting.complete(weighed);
      return weighed;
    } catch (RuntimeException | Error e) {
      waiting.completeExceptionally(e);
      throw e;
    } finally {
      decoding.remove(slot);
    }
  }

  /** The value in the slot, if it is there. */
  <T> Optional<T> peek(Slot slot, Class<T> type) {
    Weighed w = cache.getIfPresent(slot);
    if (w != null) {
      CacheUse.hit();
    }
    return Optional.ofNullable(w).map(x -> type.cast(x.value));
  }

  void put(Slot slot, Object value, long bytes) {
    CacheUse.decode();
    cache.put(slot, new Weighed(value, bytes));
  }
}
