package io.loam.schema;

import org.jspecify.annotations.Nullable;

/** Checks values. */
@SuppressWarnings("DoNotCallSuggester")
public final class Values {
  private Values() {}

  public static @Nullable Object[] canonical(CollectionSchema schema, @Nullable Object[] values) {
    throw new UnsupportedOperationException();
  }

  public static @Nullable Object canonical(Field field, @Nullable Object value) {
    throw new UnsupportedOperationException();
  }
}
