package io.loam.query;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a request did, as EXPLAIN ANALYZE shows it: counts by name. Used by one thread. */
public final class QueryProfile {
  private final Map<String, Long> counts = new LinkedHashMap<>();

  /** Adds to a count. */
  public void add(String name, long n) {
    counts.merge(name, n, Long::sum);
  }

  /** Counts by name, in the order in which they first came up. */
  public Map<String, Long> counts() {
    return Map.copyOf(counts);
  }

  /** As {@code name=count, name=count}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    counts.forEach(
        (name, n) -> text.append(text.isEmpty() ? "" : ", ").append(name).append('=').append(n));
    return text.toString();
  }
}
