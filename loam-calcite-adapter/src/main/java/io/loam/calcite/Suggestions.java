package io.loam.calcite;

import io.loam.Collection;
import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.function.FunctionSpec;
import io.loam.function.Nearest;
import io.loam.schema.Field;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Names that an unknown one may have been meant to be.
 *
 * @param schema the default one
 */
record Suggestions(Warehouse warehouse, String schema) {
  private static final Set<String> SCORES = Set.of("_score", "_distance");

  String collection(String name) {
    List<String> names = warehouse.collections(schema).stream().map(CollectionName::name).toList();
    return names.stream().anyMatch(name::equalsIgnoreCase)
        ? "the table has another name within this statement; write its alias, or put it in FROM"
        : Nearest.advice(name, names);
  }

  /** The nearest column of any collection of the schema. */
  String column(String name) {
    if (SCORES.contains(name.toLowerCase(Locale.ROOT))) {
      return "a search function in FROM gives it; beside match(…), write score()";
    }
    List<String> columns =
        warehouse.collections(schema).stream()
            .flatMap(c -> warehouse.find(c).map(Collection::schema).stream())
            .flatMap(s -> s.fields().stream())
            .map(Field::name)
            .distinct()
            .toList();
    return suggestion(Nearest.to(name, columns), "look at the table's columns");
  }

  String function(String name) {
    if (FunctionSpec.find(name).isPresent()) {
      return "a search function stands in FROM";
    }
    if (functions().contains(name.toLowerCase(Locale.ROOT))) {
      return "it takes other arguments; look at their number and types";
    }
    return suggestion(
        Nearest.to(name, functions()), "look at the functions and the types of their arguments");
  }

  /** Names of search functions and of those that stand in expressions. */
  private static List<String> functions() {
    return Stream.concat(
            FunctionSpec.all().stream().map(FunctionSpec::name),
            SqlStdOperatorTable.instance().getOperatorList().stream()
                .filter(SqlFunction.class::isInstance)
                .map(operator -> operator.getName().toLowerCase(Locale.ROOT))
                .filter(name -> name.matches("\\w+")))
        .distinct()
        .toList();
  }

  private static String suggestion(Optional<String> nearest, String otherwise) {
    return nearest.map(n -> "did you mean " + n + "?").orElse(otherwise);
  }
}
