package io.loam.column;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values of one {@code IN} in the forms that columns compare with, each made once for all
 * leaves. Safe for use by several threads.
 */
final class InValues {
  private final Collection<?> values;
  private final Map<Object, PairSet> sets = new HashMap<>();
  private @Nullable Set<String> texts;

  InValues(Collection<?> values) {
    this.values = values;
  }

  /**
   * The values as pairs of longs.
   *
   * @param form all that the making of the set depends on, the values apart
   */
  synchronized PairSet set(Object form, Function<Collection<?>, PairSet> make) {
    return sets.computeIfAbsent(form, f -> make.apply(values));
  }

  synchronized Set<String> texts() {
    Set<String> all = texts;
    if (all == null) {
      all = new HashSet<>();
      for (Object value : values) {
        all.add(Numbers.cast(String.class, value));
      }
      texts = all;
    }
    return all;
  }
}
