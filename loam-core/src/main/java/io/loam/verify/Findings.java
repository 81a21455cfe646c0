package io.loam.verify;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Collects findings; the same problem in many places of one object is one of them. */
final class Findings {
  private record Place(String object, String problem) {}

  private record Tally(String facts, long count) {}

  private final Map<Place, Tally> tallies = new LinkedHashMap<>();
  private final Set<String> objects = new HashSet<>();

  void add(String object, String problem, String facts) {
    tallies.merge(
        new Place(object, problem),
        new Tally(facts, 1),
        (first, next) -> new Tally(first.facts, first.count + 1));
    objects.add(object);
  }

  /** Whether something is wrong with an object. */
  boolean has(String object) {
    return objects.contains(object);
  }

  boolean isEmpty() {
    return tallies.isEmpty();
  }

  /**
   * What a read gives, or nothing where the object turns out to be missing or damaged, which is
   * then found. Other failures, as of a store that does not answer, are thrown.
   */
  <T> Optional<T> reading(String object, Supplier<T> read) {
    try {
      return Optional.of(read.get());
    } catch (LoamException e) {
      if (e.code() != ErrorCode.MISSING_OBJECT && e.code() != ErrorCode.CORRUPT_OBJECT) {
        throw e;
      }
      String problem = e.code() == ErrorCode.MISSING_OBJECT ? "missing" : "damaged";
      add(object, problem, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // Bytes that were checksummed but make no sense, which decoders need not foresee.
      add(object, "damaged", "cannot be decoded: " + e);
    }
    return Optional.empty();
  }

  List<Finding> toList() {
    List<Finding> list = new ArrayList<>();
    tallies.forEach(
        (place, tally) ->
            list.add(
                new Finding(
                    place.object,
                    place.problem,
                    tally.count == 1
                        ? tally.facts
                        : "%s, and %d more".formatted(tally.facts, tally.count - 1))));
    return list;
  }
}
