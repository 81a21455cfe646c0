package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.Warehouse;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@code CALL loam.gc('docs', grace_minutes => 60, dry_run => false)}. */
final class GcProcedure implements Procedure {
  private static final String COLLECTION = "collection";
  private static final String GRACE = "grace_minutes";
  private static final String DRY_RUN = "dry_run";
  private static final int MAX_GRACE_MINUTES = 1_000_000;

  @Override
  public String name() {
    return "gc";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(COLLECTION, ArgumentType.TEXT, true),
        new Parameter(GRACE, ArgumentType.NUMBER, false),
        new Parameter(DRY_RUN, ArgumentType.BOOLEAN, false));
  }

  @Override
  public String columnsQuery() {
    return "SELECT CAST(NULL AS VARCHAR) AS \"path\", CAST(NULL AS BIGINT) AS \"bytes\","
        + " CAST(NULL AS VARCHAR) AS \"reason\"";
  }

  @Override
  public List<Object[]> run(
      Warehouse warehouse, String defaultSchema, Map<String, Object> arguments) {
    GcOptions options = GcOptions.defaults();
    if (arguments.get(GRACE) instanceof BigDecimal minutes) {
      options = options.withGrace(grace(minutes));
    }
    if (Boolean.TRUE.equals(arguments.get(DRY_RUN))) {
      options = options.asDryRun();
    }
    CollectionName name = ProcedureCall.table((String) arguments.get(COLLECTION), defaultSchema);
    return warehouse.collectGarbage(name, options).stream().map(GcProcedure::row).toList();
  }

  private static Duration grace(BigDecimal minutes) {
    if (minutes.stripTrailingZeros().scale() > 0
        || minutes.signum() < 0
        || minutes.compareTo(BigDecimal.valueOf(MAX_GRACE_MINUTES)) > 0) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "gc: grace out of range: grace_minutes=%s; use a whole number from 0 to %d"
              .formatted(minutes.toPlainString(), MAX_GRACE_MINUTES));
    }
    return Duration.ofMinutes(minutes.longValueExact());
  }

  private static Object[] row(Garbage garbage) {
    return new Object[] {garbage.path(), garbage.bytes(), garbage.reason()};
  }
}
