package io.loam.text;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToIntFunction;

/**
 * Codes of terms that were asked for lately, so that common words are not looked for again in each
 * split. Holds a fixed number of terms, each in a place of its own. Safe for use by several
 * threads.
 */
final class RecentTerms {
  private static final int PLACES = 256;

  private final AtomicReferenceArray<Known> known = new AtomicReferenceArray<>(PLACES);

  private record Known(String term, int code) {}

  /** A term's code as {@code find} tells it, for a reader that never changes. */
  int code(String term, ToIntFunction<String> find) {
    int hash = term.hashCode();
    int place = (hash ^ hash >>> 16) & (PLACES - 1);
    Known there = known.get(place);
    if (there != null && there.term.equals(term)) {
      return there.code;
    }
    int code = find.applyAsInt(term);
    known.set(place, new Known(term, code));
    return code;
  }
}
