package io.loam.function;

import java.util.Optional;

/**
 * An argument as a call gives it.
 *
 * @param name of {@code name => value}, or nothing for a positional argument
 */
public record Argument<T>(Optional<String> name, T value) {}
