package io.loam.function;

/**
 * A parameter of a search function.
 *
 * @param name by which {@code name => value} names it
 * @param required whether a call must give it
 * @param defaultText what leaving it out means, for people; empty for a required parameter
 * @param documentation one sentence
 */
public record Parameter(
    String name, Type type, boolean required, String defaultText, String documentation) {

  /** What values a parameter takes, with the name of the SQL type that it shows to tools. */
  public enum Type {
    /** Name of a collection, a string literal. */
    COLLECTION("VARCHAR"),
    /** Name of a column. */
    COLUMN("VARCHAR"),
    /** Names of columns with optional boosts, {@code title^2,body}. */
    COLUMNS("VARCHAR"),
    /** A vector. */
    VECTOR("ANY"),
    /** A sparse vector. */
    SPARSE("ANY"),
    TEXT("VARCHAR"),
    /** A whole number. */
    COUNT("INTEGER"),
    NUMBER("DOUBLE"),
    FLAG("BOOLEAN"),
    /** A condition on the collection's columns, as SQL text. */
    FILTER("VARCHAR"),
    /** Numbers, one for each leg. */
    NUMBERS("ANY"),
    /** A call of another search function; may be repeated. */
    LEG("ANY");

    private final String sqlType;

    Type(String sqlType) {
      this.sqlType = sqlType;
    }

    public String sqlType() {
      return sqlType;
    }
  }

  static Parameter required(String name, Type type, String documentation) {
    return new Parameter(name, type, true, "", documentation);
  }

  static Parameter optional(String name, Type type, String defaultText, String documentation) {
    return new Parameter(name, type, false, defaultText, documentation);
  }
}
