package io.loam.function;

import io.loam.error.Suggestion;
import java.util.Collection;
import java.util.Optional;

/** Finds the name that a misspelt one was probably meant to be. */
public final class Nearest {
  private Nearest() {}

  /** The nearest name, if it is near enough to be worth saying. */
  public static Optional<String> to(String name, Collection<String> candidates) {
    return Suggestion.nearest(name, candidates);
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
}
