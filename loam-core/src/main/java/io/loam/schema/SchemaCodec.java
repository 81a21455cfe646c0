package io.loam.schema;

/** Schemas as JSON. */
@SuppressWarnings("DoNotCallSuggester")
public final class SchemaCodec {
  private SchemaCodec() {}

  public static byte[] encode(CollectionSchema schema) {
    throw new UnsupportedOperationException();
  }

  public static CollectionSchema decode(byte[] bytes, String path) {
    throw new UnsupportedOperationException();
  }
}
