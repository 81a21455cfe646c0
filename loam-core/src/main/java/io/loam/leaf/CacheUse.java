package io.loam.leaf;

/**
 * What was asked of the {@link MemoryBudget}.
 *
 * @param hits values that were in memory
 * @param decoded values that had to be decoded
 */
public record CacheUse(long hits, long decoded) {
  private static final ThreadLocal<CacheUse> OF_THREAD =
      ThreadLocal.withInitial(() -> new CacheUse(0, 0));

  /** All that the calling thread has asked for so far; differences tell what some work took. */
  public static CacheUse ofThread() {
    return OF_THREAD.get();
  }

  /** What came after {@code earlier}. */
  public CacheUse since(CacheUse earlier) {
    return new CacheUse(hits - earlier.hits, decoded - earlier.decoded);
  }

  static void hit() {
    addToThread(new CacheUse(1, 0));
  }

  static void decode() {
    addToThread(new CacheUse(0, 1));
  }

  /** Counts for the calling thread what another has asked for on its behalf. */
  public static void addToThread(CacheUse use) {
    CacheUse sum = OF_THREAD.get();
    OF_THREAD.set(new CacheUse(sum.hits + use.hits, sum.decoded + use.decoded));
  }
}
