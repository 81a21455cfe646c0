package io.loam.calcite;

import io.loam.Warehouse;
import io.loam.maintain.Part;
import io.loam.maintain.Step;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code CALL loam.optimize('docs', 'splits')}. */
final class OptimizeProcedure implements Procedure {
  private static final String COLLECTION = "collection";
  private static final String PART = "part";

  @Override
  public String name() {
    return "optimize";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(COLLECTION, ArgumentType.TEXT, true),
        new Parameter(PART, ArgumentType.TEXT, false));
  }

  @Override
  public String columnsQuery() {
    return "SELECT CAST(NULL AS VARCHAR) AS \"step\", CAST(NULL AS VARCHAR) AS \"detail\","
        + " CAST(NULL AS BIGINT) AS \"version\"";
  }

  @Override
  public List<Object[]> run(
      Warehouse warehouse, String defaultSchema, Map<String, Object> arguments) {
    Set<Part> parts =
        arguments.get(PART) instanceof String part
            ? Set.of(Part.named(part))
            : Set.of(Part.values());
    return warehouse
        .get(ProcedureCall.table((String) arguments.get(COLLECTION), defaultSchema))
        .optimize(parts)
        .stream()
        .map(OptimizeProcedure::row)
        .toList();
  }

  private static Object[] row(Step step) {
    return new Object[] {step.part().text(), step.detail(), step.version()};
  }
}
