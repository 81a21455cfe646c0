package io.loam.function;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that a misspelt one was probably meant to be. */
public final class Nearest {
  private Nearest() {}

  /** The nearest name, if it is near enough to be worth saying. */
  public static Optional<String> to(String name, Collection<String> candidates) {
    String folded = name.toLowerCase(Locale.ROOT);
    int limit = Math.max(1, (folded.length() + 1) / 3);
    return candidates.stream()
        .filter(c -> distance(folded, c.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.comparingInt((String c) -> distance(folded, c.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** How to mend an unknown name: the nearest one, or what there is. */
  public static String advice(String name, Collection<String> candidates) {
    return to(name, candidates)
        .map(nearest -> "did you mean " + nearest + "?")
        .orElseGet(
            () ->
                candidates.isEmpty()
                    ? "there are none"
                    : "use one of " + String.join(", ", candidates));
  }

  /** Levenshtein's distance: insertions, deletions and substitutions. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
