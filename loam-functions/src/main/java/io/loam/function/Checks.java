package io.loam.function;

import io.loam.column.Predicate;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.Limits;
import io.loam.schema.TypeKind;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks of one function's argument values. */
record Checks(String function, Arguments<@Nullable Object> arguments) {

  /** The value of a required argument. */
  Object required(String name) {
    return arguments
        .find(name)
        .orElseThrow(() -> invalid("argument is null: argument=" + name + "; give a value"));
  }

  String text(String name) {
    return required(name).toString();
  }

  /** The number of rows to find. */
  int k(int defaultK) {
    if (!arguments.has("k")) {
      return defaultK;
    }
    BigDecimal k = number("k", required("k"));
    if (k.stripTrailingZeros().scale() > 0 || k.signum() <= 0) {
      throw invalid("k is not a positive whole number: k=" + k.toPlainString() + "; use 1 or more");
    }
    if (k.compareTo(BigDecimal.valueOf(Limits.MAX_K)) > 0) {
      throw new LoamException(
          ErrorCode.LIMIT_EXCEEDED,
          function
              + ": k is too large: k="
              + k.toPlainString()
              + ", limit="
              + Limits.MAX_K
              + "; ask for fewer rows");
    }
    return k.intValueExact();
  }

  /** A whole number of an optional argument; 0 where it is not given. */
  int count(String name) {
    if (!arguments.has(name)) {
      return 0;
    }
    BigDecimal count = number(name, required(name)).stripTrailingZeros();
    if (count.scale() > 0
        || count.signum() < 0
        || count.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0) {
      throw invalid(
          "not a whole number: "
              + name
              + "="
              + count.toPlainString()
              + "; use 0 or a larger whole number");
    }
    return count.intValueExact();
  }

  /** A positive finite number. */
  double positive(String name, double defaultValue) {
    if (!arguments.has(name)) {
      return defaultValue;
    }
    double value = number(name, required(name)).doubleValue();
    if (!(value > 0)) {
      throw invalid(name + " is not positive: " + name + "=" + value + "; use a larger number");
    }
    return value;
  }

  /** A finite number of an optional argument, if it is given. */
  OptionalDouble finite(String name) {
    if (!arguments.has(name)) {
      return OptionalDouble.empty();
    }
    double value = number(name, required(name)).doubleValue();
    if (!Double.isFinite(value)) {
      throw invalid(name + " is too large: " + name + "=" + value + "; use a finite number");
    }
    return OptionalDouble.of(value);
  }

  BigDecimal number(String name, Object value) {
    try {
      return new BigDecimal(value.toString().trim());
    } catch (NumberFormatException e) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          function
              + ": argument is not a number: argument="
              + name
              + ", value="
              + value
              + "; give a number",
          e);
    }
  }

  /** One of an enum's constants by its lower-case name. */
  <E extends Enum<E>> Optional<E> choice(String name, Class<E> type) {
    return arguments
        .find(name)
        .map(
            value ->
                Arrays.stream(type.getEnumConstants())
                    .filter(c -> c.name().equalsIgnoreCase(value.toString().trim()))
                    .findFirst()
                    .orElseThrow(
                        () ->
                            invalid(
                                "unknown "
                                    + name
                                    + ": "
                                    + name
                                    + "="
                                    + value
                                    + "; use one of "
                                    + Arrays.stream(type.getEnumConstants())
                                        .map(c -> c.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(", ")))));
  }

  /** An optional boolean argument, false where it is not given. */
  boolean flag(String name) {
    return arguments.find(name).map(value -> bool(name, value)).orElse(false);
  }

  private boolean bool(String name, Object value) {
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw invalid(
        "argument is not a boolean: argument=" + name + ", value=" + value + "; use true or false");
  }

  Optional<Predicate> filter() {
    return arguments.find("filter").map(Predicate.class::cast);
  }

  /** The field of this name, which must be of one kind. */
  Field field(CollectionSchema schema, String name, TypeKind kind) {
    Field field =
        schema
            .find(name.trim())
            .orElseThrow(
                () ->
                    new LoamException(
                        ErrorCode.UNKNOWN_COLUMN,
                        function
                            + ": unknown column: column="
                            + name.trim()
                            + "; "
                            + Nearest.advice(
                                name.trim(), schema.fields().stream().map(Field::name).toList())));
    if (field.kind() != kind) {
      List<String> fitting =
          schema.fields().stream().filter(f -> f.kind() == kind).map(Field::name).toList();
      throw new LoamException(
          ErrorCode.TYPE_MISMATCH,
          function
              + ": column has the wrong type: column="
              + field.name()
              + ", type="
              + field.type()
              + ", wanted="
              + kind
              + "; "
              + (fitting.isEmpty()
                  ? "the collection has no " + kind + " column"
                  : "use one of " + String.join(", ", fitting)));
    }
    return field;
  }

  LoamException invalid(String problem) {
    return new LoamException(ErrorCode.INVALID_ARGUMENT, function + ": " + problem);
  }

  LoamException unsupported(String problem) {
    return new LoamException(ErrorCode.UNSUPPORTED, function + ": " + problem);
  }
}
