package io.loam.function;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.Search;
import io.loam.schema.CollectionSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a SQL search function takes, gives and means. */
public sealed interface FunctionSpec permits VectorSearch, Bm25, SparseMatch, Hybrid {

  /** The lower-case name. */
  String name();

  /** One sentence. */
  String documentation();

  List<Parameter> parameters();

  /**
   * The columns that a row has beyond the collection's own.
   *
   * @param legs how many legs the call has, 0 for a function that takes none
   */
  List<ResultColumn> resultColumns(int legs);

  /**
   * Checks a call's values and turns them into a search.
   *
   * @param arguments SQL values as Java objects, except that a {@code filter} is a {@link
   *     io.loam.column.Predicate} and a leg a {@link Search}
   * @param defaultK how many rows to find where the call does not say
   */
  Search bind(Arguments<@Nullable Object> arguments, CollectionSchema schema, int defaultK);

  /** Puts each argument under its parameter; named arguments follow positional ones. */
  default <T> Arguments<T> arrange(List<Argument<T>> given) {
    List<T> legs = new ArrayList<>();
    Map<String, T> values = new LinkedHashMap<>();
    int position = 0;
    boolean named = false;
    for (Argument<T> argument : given) {
      Parameter parameter;
      if (argument.name().isPresent()) {
        named = true;
        parameter = parameter(argument.name().get());
      } else {
        if (named) {
          throw invalid("positional argument after a named one; put the named ones last");
        }
        parameter = parameterAt(position++);
      }
      if (parameter.type() == Parameter.Type.LEG) {
        legs.add(argument.value());
      } else if (values.putIfAbsent(parameter.name(), argument.value()) != null) {
        throw invalid("argument given twice: argument=" + parameter.name() + "; give it once");
      }
    }
    for (Parameter parameter : parameters()) {
      if (parameter.required()
          && parameter.type() != Parameter.Type.LEG
          && !values.containsKey(parameter.name())) {
        throw invalid("argument missing: argument=" + parameter.name() + "; " + usage());
      }
    }
    return new Arguments<>(legs, values);
  }

  private Parameter parameter(String name) {
    return parameters().stream()
        .filter(p -> p.type() != Parameter.Type.LEG && p.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                invalid(
                    "unknown argument: argument="
                        + name.toLowerCase(Locale.ROOT)
                        + "; "
                        + Nearest.advice(
                            name,
                            parameters().stream()
                                .filter(p -> p.type() != Parameter.Type.LEG)
                                .map(Parameter::name)
                                .toList())));
  }

  private Parameter parameterAt(int position) {
    Parameter first = parameters().get(0);
    if (first.type() == Parameter.Type.LEG) {
      return first;
    }
    if (position >= parameters().size()) {
      throw invalid("too many arguments: given=" + (position + 1) + "; " + usage());
    }
    return parameters().get(position);
  }

  /** The call in general form, such as {@code use f(a, b, k => 10)}. */
  private String usage() {
    return parameters().stream()
        .map(p -> p.required() ? p.name() : p.name() + " => " + p.defaultText())
        .collect(Collectors.joining(", ", "use " + name() + "(", ")"));
  }

  /** The error of a bad argument of this function. */
  private LoamException invalid(String problem) {
    return new LoamException(ErrorCode.INVALID_ARGUMENT, name() + ": " + problem);
  }

  /** The function with this name in any letter case. */
  static Optional<FunctionSpec> find(String name) {
    return all().stream().filter(f -> f.name().equalsIgnoreCase(name)).findFirst();
  }

  /** Every search function. */
  static List<FunctionSpec> all() {
    return List.of(new VectorSearch(), new Bm25(), new SparseMatch(), new Hybrid());
  }
}
