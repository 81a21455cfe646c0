package io.loam.calcite;

import io.loam.Warehouse;
import java.util.List;
import java.util.Map;

/** A procedure of schema {@code loam}, which CALL runs. */
interface Procedure {
  /** What an argument must be. */
  enum ArgumentType {
    TEXT,
    NUMBER,
    BOOLEAN
  }

  /**
   * A parameter, given by place or by name.
   *
   * @param name in lower case
   */
  record Parameter(String name, ArgumentType type, boolean required) {}

  /** The lower-case name. */
  String name();

  List<Parameter> parameters();

  /** A query whose columns are those of the result. */
  String columnsQuery();

  /**
   * Runs and gives the rows of the result.
   *
   * @param defaultSchema of table names that have none
   * @param arguments by parameter; {@code String}, {@code BigDecimal} or {@code Boolean}
   */
  List<Object[]> run(Warehouse warehouse, String defaultSchema, Map<String, Object> arguments);
}
