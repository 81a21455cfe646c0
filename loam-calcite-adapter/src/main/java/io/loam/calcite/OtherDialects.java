package io.loam.calcite;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What other databases write, and what to write here in its place. */
final class OtherDialects {
  private static final String NULL_VALUES = "write COALESCE(<value>, <other value>)";

  private static final String LISTS = "write LISTAGG(<text>, ',')";

  private static final Map<String, String> FUNCTIONS =
      Map.of(
          "now", "write CURRENT_TIMESTAMP",
          "length", "write CHAR_LENGTH(<text>)",
          "getdate", "write CURRENT_TIMESTAMP",
          "string_agg", LISTS,
          "group_concat", LISTS,
          "date_trunc", "write FLOOR(<time> TO MONTH), or to another unit",
          "ilike", "write UPPER(<text>) LIKE UPPER(<pattern>)",
          "ifnull", NULL_VALUES,
          "nvl", NULL_VALUES,
          "version", "getDatabaseProductVersion() of DatabaseMetaData tells it");

  /** Words of a column's declaration that there is no such thing for. */
  private static final Map<String, String> DECLARATIONS =
      Map.of(
          "DEFAULT", "default values are not supported: write the value in each INSERT",
          "UNIQUE", "UNIQUE is not supported: only a PRIMARY KEY keeps values unique",
          "CHECK", "CHECK is not supported: check values before they are written",
          "REFERENCES", "foreign keys are not supported: leave them out",
          "FOREIGN", "foreign keys are not supported: leave them out");

  private static final Pattern DECLARATION =
      Pattern.compile("(?is)\\s*(?:CREATE|ALTER)\\s+TABLE\\b.*");

  private OtherDialects() {}

  /** What to call instead of an unknown function. */
  static Optional<String> function(String name) {
    return Optional.ofNullable(FUNCTIONS.get(name.toLowerCase(Locale.ROOT)));
  }

  /** Names of such functions. */
  static List<String> functions() {
    return List.copyOf(FUNCTIONS.keySet());
  }

  /**
   * What to write instead of what does not parse.
   *
   * @param rest the text from where the error is
   */
  static Optional<String> syntax(String sql, String rest) {
    if (rest.startsWith("::")) {
      return Optional.of("write CAST(<value> AS <type>)");
    }
    if (rest.startsWith("==")) {
      return Optional.of("write = to compare");
    }
    if (rest.startsWith("`")) {
      return Optional.of("quote names as \"name\"");
    }
    String word = rest.split("\\W", 2)[0].toUpperCase(Locale.ROOT);
    return DECLARATION.matcher(sql).matches()
        ? Optional.ofNullable(DECLARATIONS.get(word))
        : Optional.empty();
  }
}
