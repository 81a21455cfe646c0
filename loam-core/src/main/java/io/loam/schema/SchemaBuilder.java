package io.loam.schema;

/** Builds a collection's first schema from declared columns. */
@SuppressWarnings("DoNotCallSuggester")
public final class SchemaBuilder {
  public SchemaBuilder add(
      String name, FieldType type, boolean nullable, String analyzer, String metric) {
    throw new UnsupportedOperationException();
  }

  public SchemaBuilder primaryKey(String name) {
    throw new UnsupportedOperationException();
  }

  public SchemaBuilder option(String key, String value) {
    throw new UnsupportedOperationException();
  }

  public CollectionSchema build() {
    throw new UnsupportedOperationException();
  }
}
