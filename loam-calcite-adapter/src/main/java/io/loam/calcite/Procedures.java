package io.loam.calcite;

import java.sql.JDBCType;
import java.util.Comparator;
import java.util.List;

/** What CALL can run, for those who list it. */
public final class Procedures {
  /** The schema of all procedures. */
  public static final String SCHEMA = ProcedureCall.SCHEMA;

  /** An argument, given by place or by name. */
  public record Argument(String name, JDBCType type, boolean required) {}

  /**
   * A procedure.
   *
   * @param usage a call of it, for people
   */
  public record Signature(String name, List<Argument> parameters, String usage) {}

  private Procedures() {}

  /** All procedures by name. */
  public static List<Signature> all() {
    return ProcedureCall.ALL.stream()
        .sorted(Comparator.comparing(Procedure::name))
        .map(
            p ->
                new Signature(
                    p.name(),
                    p.parameters().stream().map(Procedures::argument).toList(),
                    ProcedureCall.usage(p)))
        .toList();
  }

  private static Argument argument(Procedure.Parameter parameter) {
    JDBCType type =
        switch (parameter.type()) {
          case TEXT -> JDBCType.VARCHAR;
          case NUMBER -> JDBCType.DECIMAL;
          case BOOLEAN -> JDBCType.BOOLEAN;
        };
    return new Argument(parameter.name(), type, parameter.required());
  }
}
