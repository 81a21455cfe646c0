package io.loam.calcite;

import io.loam.Warehouse;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.VersionSpec;
import io.loam.verify.Verification;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code CALL loam.verify('docs', version => 42)}. */
final class VerifyProcedure implements Procedure {
  private static final String COLLECTION = "collection";
  private static final String VERSION = "version";

  @Override
  public String name() {
    return "verify";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(
        new Parameter(COLLECTION, ArgumentType.TEXT, true),
        new Parameter(VERSION, ArgumentType.NUMBER, false));
  }

  @Override
  public String columnsQuery() {
    return "SELECT CAST(NULL AS VARCHAR) AS \"object\", CAST(NULL AS VARCHAR) AS \"problem\","
        + " CAST(NULL AS VARCHAR) AS \"facts\"";
  }

  @Override
  public List<Object[]> run(
      Warehouse warehouse, String defaultSchema, Map<String, Object> arguments) {
    VersionSpec version =
        arguments.get(VERSION) instanceof BigDecimal number
            ? new VersionSpec.At(version(number))
            : new VersionSpec.Latest();
    Verification found =
        warehouse
            .get(ProcedureCall.table((String) arguments.get(COLLECTION), defaultSchema))
            .verify(version);
    List<@Nullable Object[]> rows = new ArrayList<>();
    found.findings().forEach(f -> rows.add(new Object[] {f.object(), f.problem(), f.facts()}));
    rows.add(summary(found));
    return rows;
  }

  private static long version(BigDecimal number) {
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT,
          "verify: not a version: version=%s; use a whole number".formatted(number),
          e);
    }
  }

  /** What was looked at, so that a clean bill of health says of what. */
  private static @Nullable Object[] summary(Verification found) {
    return new @Nullable Object[] {
      "version " + found.version(),
      null,
      "problems=%d, objects=%d, bytes=%d, documents=%d"
          .formatted(found.findings().size(), found.objects(), found.bytes(), found.documents())
    };
  }
}
