package io.loam.calcite;

import io.loam.column.Predicate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;

/**
 * A condition on a collection's typed fields that core evaluates, short of its parameters' values.
 *
 * @param text as EXPLAIN shows it
 */
record PredicatePlan(String text, Function<DataContext, Predicate> binding) {

  Predicate bind(DataContext context) {
    return binding.apply(context);
  }

  static PredicatePlan and(List<PredicatePlan> all) {
    return combine(all, " AND ", Predicate.And::new);
  }

  static PredicatePlan or(List<PredicatePlan> any) {
    return combine(any, " OR ", Predicate.Or::new);
  }

  /** This condition and another. */
  PredicatePlan and(PredicatePlan other) {
    return and(List.of(this, other));
  }

  private static PredicatePlan combine(
      List<PredicatePlan> parts, String word, Function<List<Predicate>, Predicate> combination) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    List<PredicatePlan> kept = List.copyOf(parts);
    return new PredicatePlan(
        kept.stream().map(PredicatePlan::text).collect(Collectors.joining(word, "(", ")")),
        context -> {
          List<Predicate> bound = new ArrayList<>(kept.size());
          for (PredicatePlan part : kept) {
            bound.add(part.bind(context));
          }
          return combination.apply(bound);
        });
  }
}
