package io.loam.calcite;

import io.loam.Warehouse;
import java.math.BigDecimal;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.AvaticaParameter;

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
  record Parameter(String name, ArgumentType type, boolean required) {
    /** What JDBC is told of a {@code ?} in its place. */
    AvaticaParameter described() {
      return switch (type) {
        case TEXT -> described(Types.VARCHAR, "VARCHAR", String.class);
        case NUMBER -> described(Types.DECIMAL, "DECIMAL", BigDecimal.class);
        case BOOLEAN -> described(Types.BOOLEAN, "BOOLEAN", Boolean.class);
      };
    }

    private AvaticaParameter described(int jdbcType, String typeName, Class<?> type) {
      return new AvaticaParameter(
          jdbcType == Types.DECIMAL, 0, 0, jdbcType, typeName, type.getName(), name);
    }
  }

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
