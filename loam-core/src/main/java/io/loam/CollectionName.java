package io.loam;

/** A collection's schema and name, as declared; compared in any letter case. */
public record CollectionName(String schema, String name) {
  /** The schema of unqualified names. */
  public static final String DEFAULT_SCHEMA = "loam";

  public static CollectionName of(String name) {
    return new CollectionName(DEFAULT_SCHEMA, name);
  }

  @Override
  public String toString() {
    return schema + "." + name;
  }
}
