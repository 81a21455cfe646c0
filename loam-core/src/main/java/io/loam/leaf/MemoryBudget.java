package io.loam.leaf;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import io.loam.error.Futures;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
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

  /** How many slots a count is kept for. */
  private static final int COUNTED = 10_000;

  private final Cache<Slot, Weighed> cache;
  private final Map<Slot, CompletableFuture<Weighed>> decoding = new ConcurrentHashMap<>();

  private final Cache<Slot, AtomicLong> reads =
      Caffeine.newBuilder().maximumSize(COUNTED).executor(Runnable::run).build();

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

  /** Whether there is a value in the slot. */
  boolean holds(Slot slot) {
    return cache.getIfPresent(slot) != null;
  }

  /** Whether values of so many bytes can be put without another one going. */
  boolean hasRoom(long bytes) {
    return eviction().weightedSize().orElse(0) + (bytes >>> 10) < eviction().getMaximum();
  }

  /**
   * Drops what was used least until there is room for so many bytes. A value that takes a good part
   * of the budget might never stay otherwise: others that were used twice are not compared with it.
   */
  void makeRoom(long bytes) {
    for (Slot slot : eviction().coldest(Integer.MAX_VALUE).keySet()) {
      if (hasRoom(bytes)) {
        return;
      }
      cache.invalidate(slot);
    }
  }

  private Policy.Eviction<Slot, Weighed> eviction() {
    return cache.policy().eviction().orElseThrow();
  }

  /** A count of what was read without the slot's value, from 0 on; forgotten if not used. */
  AtomicLong readsWithout(Slot slot) {
    return reads.get(slot, key -> new AtomicLong());
  }

  void put(Slot slot, Object value, long bytes) {
    CacheUse.decode();
    cache.put(slot, new Weighed(value, bytes));
  }
}
