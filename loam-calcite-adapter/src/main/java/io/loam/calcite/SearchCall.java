package io.loam.calcite;

import io.loam.column.Predicate;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.function.Arguments;
import io.loam.function.FunctionSpec;
import io.loam.query.Search;
import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.calcite.DataContext;
import org.apache.calcite.rex.RexFieldAccess;
import org.jspecify.annotations.Nullable;

/**
 * A call of a search function, short of its parameters' values.
 *
 * @param filter of a literal {@code filter =>}, translated once
 */
record SearchCall(
    FunctionSpec spec,
    List<SearchCall> legs,
    Map<String, Operand> operands,
    Optional<PredicatePlan> filter)
    implements ScanSearch {
  private static final int DEFAULT_K = 10;
  private static final int DEFAULT_LEG_K = 100;

  SearchCall {
    legs = List.copyOf(legs);
  }

  /** The search, with values checked. */
  Search bind(DataContext context, CollectionSchema schema) {
    return bind(context, schema, DEFAULT_K);
  }

  private Search bind(DataContext context, CollectionSchema schema, int defaultK) {
    List<@Nullable Object> boundLegs = new ArrayList<>();
    for (SearchCall leg : legs) {
      boundLegs.add(leg.bind(context, schema, DEFAULT_LEG_K));
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    operands.forEach((name, operand) -> values.put(name, operand.value(context)));
    if (operands.containsKey("filter")) {
      values.put("filter", filter(context, schema, values.get("filter")));
    }
    return spec.bind(new Arguments<>(boundLegs, values), schema, defaultK);
  }

  private @Nullable Predicate filter(
      DataContext context, CollectionSchema schema, @Nullable Object text) {
    if (filter.isPresent()) {
      return filter.get().bind(context);
    }
    if (text == null) {
      return null;
    }
    if (!(text instanceof CharSequence)) {
      throw new LoamException(
          ErrorCode.TYPE_MISMATCH,
          spec.name()
              + ": filter is not text: class="
              + text.getClass().getSimpleName()
              + "; give a condition such as 'year_ >= 1960'");
    }
    return FilterText.translate(text.toString(), schema).bind(context);
  }

  /** The columns of outer rows that it takes values from. */
  List<RexFieldAccess> outer() {
    List<RexFieldAccess> outer = new ArrayList<>();
    legs.forEach(leg -> outer.addAll(leg.outer()));
    operands.values().forEach(operand -> operand.outer().ifPresent(outer::add));
    return outer;
  }

  /** The call with other columns of outer rows. */
  SearchCall withOuter(UnaryOperator<RexFieldAccess> change) {
    Map<String, Operand> changed = new LinkedHashMap<>();
    operands.forEach(
        (name, operand) ->
            changed.put(
                name, operand.outer().map(o -> Operand.ofOuter(change.apply(o))).orElse(operand)));
    return new SearchCall(
        spec, legs.stream().map(leg -> leg.withOuter(change)).toList(), changed, filter);
  }

  /** Whether it takes no parameter. */
  boolean constant() {
    return legs.stream().allMatch(SearchCall::constant)
        && operands.values().stream().allMatch(Operand::constant);
  }

  /** The call, its collection left out, with named arguments. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    legs.forEach(leg -> parts.add(leg.toString()));
    operands.forEach(
        (name, operand) -> {
          if (!name.equals("collection")) {
            parts.add(name + " => " + operand.text());
          }
        });
    if (!operands.containsKey("k")) {
      parts.add("k => default");
    }
    return spec.name() + "(" + String.join(", ", parts) + ")";
  }
}
