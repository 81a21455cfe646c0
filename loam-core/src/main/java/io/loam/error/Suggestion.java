package io.loam.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests what a user may have meant by a name that does not exist. */
public final class Suggestion {
  private Suggestion() {}

  /** The mend of a message: {@code ; did you mean 'x'?}, or else {@code ; known: a, b, c}. */
  public static String mend(String wanted, Collection<String> known) {
    return nearest(wanted, known)
        .map(n -> "; did you mean '" + n + "'?")
        .orElse(known.isEmpty() ? "; there are none" : "; known: " + String.join(", ", known));
  }

  /** The known name with the fewest edits, if they are at most a third of its length. */
  public static Optional<String> nearest(String wanted, Collection<String> known) {
    String lower = wanted.toLowerCase(Locale.ROOT);
    return known.stream()
        .filter(n -> distance(lower, n.toLowerCase(Locale.ROOT)) <= Math.max(1, n.length() / 3))
        .min(Comparator.comparingInt(n -> distance(lower, n.toLowerCase(Locale.ROOT))));
  }

  /** Levenshtein distance. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replace, 1 + Math.min(previous[j], row[j - 1]));
      }
      previous = row;
    }
    return previous[b.length()];
  }
}
