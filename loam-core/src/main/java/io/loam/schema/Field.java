package io.loam.schema;

/**
 * One declared field of a collection.
 *
 * @param number names the field in every file; never reused within a collection, at least 1
 * @param name as declared; compared in any letter case
 * @param nullable whether values may be missing
 * @param analyzer of a {@code TEXT} field, else empty
 * @param metric {@code cosine}, {@code l2} or {@code dot} of a {@code VECTOR} field, else empty
 */
public record Field(
    int number, String name, FieldType type, boolean nullable, String analyzer, String metric) {

  /** The same field under another name. */
  Field named(String other) {
    return new Field(number, other, type, nullable, analyzer, metric);
  }

  public TypeKind kind() {
    return type.kind();
  }
}
