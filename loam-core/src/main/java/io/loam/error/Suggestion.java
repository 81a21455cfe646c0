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
        .min(
            Comparator.comparingInt((String n) -> distance(lower, n.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Insertions, deletions, substitutions and swaps of neighbours. */
  private static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int substitute = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        edits[i][j] = Math.min(substitute, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[a.length()][b.length()];
  }
}
