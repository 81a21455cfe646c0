package io.loam.calcite;

import io.loam.query.Search;
import io.loam.query.Snapshot;
import io.loam.query.VectorStrategy;
import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.DataContexts;

/**
 * How the searches for nearest vectors of a scan would be done now, which EXPLAIN shows. That costs
 * no search, but what their filters allow has to be found out.
 */
final class VectorStrategies {
  private static final String FUNCTION = "vector_search";

  /** What decides; the vector itself does not, nor how many rows are wanted. */
  private static final Set<String> DECIDING = Set.of("column", "metric", "exact", "filter");

  private VectorStrategies() {}

  /** One text for each such search, or nothing for a scan without any. */
  static Optional<String> of(ScanSpec spec, LoamTable table) {
    if (spec.search().orElse(null) instanceof DistanceRanking) {
      return Optional.of(
          new VectorStrategy(VectorStrategy.Way.EXACT, "ranked by distance").toString());
    }
    if (!(spec.search().orElse(null) instanceof SearchCall call)) {
      return Optional.empty();
    }
    List<SearchCall> searches =
        Stream.concat(Stream.of(call), call.legs().stream())
            .filter(each -> each.spec().name().equals(FUNCTION))
            .toList();
    if (searches.isEmpty()) {
      return Optional.empty();
    }
    try (Snapshot snapshot = table.snapshot()) {
      return Optional.of(
          searches.stream()
              .map(search -> strategy(search, snapshot))
              .collect(Collectors.joining(", ")));
    }
  }

  private static String strategy(SearchCall call, Snapshot snapshot) {
    return example(call, snapshot.schema())
        .map(search -> snapshot.strategy(search).toString())
        .orElse("by the arguments, when it runs");
  }

  /** The call with any vector; nothing where a parameter decides how it is done. */
  private static Optional<Search.Vector> example(SearchCall call, CollectionSchema schema) {
    Map<String, Operand> deciding = new LinkedHashMap<>();
    for (Map.Entry<String, Operand> operand : call.operands().entrySet()) {
      if (DECIDING.contains(operand.getKey())) {
        if (!operand.getValue().constant()) {
          return Optional.empty();
        }
        deciding.put(operand.getKey(), operand.getValue());
      }
    }
    Object column = deciding.get("column").value(DataContexts.EMPTY);
    return schema
        .find(String.valueOf(column))
        .map(
            field -> {
              List<Float> vector = new ArrayList<>();
              for (int i = 0; i < field.type().dimension(); i++) {
                vector.add(1f);
              }
              deciding.put("query", new Operand("vector", true, context -> vector));
              SearchCall example =
                  new SearchCall(call.spec(), List.of(), deciding, call.filter());
              return (Search.Vector) example.bind(DataContexts.EMPTY, schema);
            });
  }
}
