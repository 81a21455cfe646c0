package io.loam.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Documents' JSON bodies. */
@SuppressWarnings("DoNotCallSuggester")
public final class SourceCodec {
  private SourceCodec() {}

  public static String encode(CollectionSchema schema, @Nullable Object[] values) {
    throw new UnsupportedOperationException();
  }

  public static @Nullable Object[] decode(CollectionSchema schema, String json) {
    throw new UnsupportedOperationException();
  }

  public static @Nullable Object read(String json, Field field) {
    throw new UnsupportedOperationException();
  }

  public static @Nullable Object[] read(String json, List<Field> fields) {
    throw new UnsupportedOperationException();
  }
}
