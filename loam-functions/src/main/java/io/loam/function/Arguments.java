package io.loam.function;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call's arguments, each under its parameter.
 *
 * @param legs values of a {@link Parameter.Type#LEG} parameter, in order
 * @param values of the other parameters by name; those left out are not there
 */
public record Arguments<T extends @Nullable Object>(List<T> legs, Map<String, T> values) {
  public Arguments {
    legs = Collections.unmodifiableList(legs);
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** The value given for a parameter, or nothing where it was left out or is null. */
  public Optional<T> find(String name) {
    return Optional.ofNullable(values.get(name));
  }
}
