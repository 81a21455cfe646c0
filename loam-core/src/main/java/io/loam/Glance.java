package io.loam;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one statement has seen of the warehouse. While a glance is open, its thread asks the store
 * for each catalog entry and each head once, so that planning a statement and running it cost no
 * more requests than running it, and all of it is of one moment. A statement's own changes are not
 * among what it sees; the next statement begins another glance.
 */
public final class Glance {
  private static final ThreadLocal<@Nullable Glance> OPEN = new ThreadLocal<>();

  private final Map<Object, Object> seen = new HashMap<>();

  private Glance() {}

  /**
   * What a statement does.
   *
   * @param <T> its result
   * @param <X> how it may fail
   */
  @FunctionalInterface
  public interface Work<T, X extends Exception> {
    T run() throws X;
  }

  /** Does work at one glance, which has seen nothing before. */
  public static <T, X extends Exception> T during(Work<T, X> work) throws X {
    Glance outer = OPEN.get();
    OPEN.set(new Glance());
    try {
      return work.run();
    } finally {
      OPEN.set(outer);
    }
  }

  /** What the thread's glance has seen under a key, asked for first if need be. */
  @SuppressWarnings("unchecked") // A key stands for one type.
  static <T> T of(Object key, Supplier<T> ask) {
    Glance glance = OPEN.get();
    Object known = glance == null ? null : glance.seen.get(key);
    return known == null ? anew(key, ask) : (T) known;
  }

  /** The same, asked for again. */
  static <T> T anew(Object key, Supplier<T> ask) {
    T answer = ask.get();
    Glance glance = OPEN.get();
    if (glance != null) {
      glance.seen.put(key, answer);
    }
    return answer;
  }
}
