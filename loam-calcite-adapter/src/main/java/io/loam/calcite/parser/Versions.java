package io.loam.calcite.parser;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.VersionSpec;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlTimestampLiteral;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.jspecify.annotations.Nullable;

/** Reads the version that {@link VersionOperator} gives. */
public final class Versions {
  private Versions() {}

  /** The version of a call of {@link VersionOperator}, which must be a literal. */
  public static VersionSpec of(SqlCall call) {
    SqlNode value = call.operand(1);
    if (call.getOperator().equals(VersionOperator.SYSTEM_TIME)) {
      return systemTime(value);
    }
    if (value instanceof SqlNumericLiteral number && number.isInteger()) {
      return new VersionSpec.At(number.longValue(true));
    }
    if (value instanceof SqlCharStringLiteral text) {
      return new VersionSpec.Tag(text.getValueAs(String.class));
    }
    throw new LoamException(
        ErrorCode.UNSUPPORTED,
        "version is not a literal: version="
            + value
            + "; write FOR VERSION AS OF 42 or FOR VERSION AS OF 'tag'");
  }

  private static VersionSpec systemTime(SqlNode value) {
    if (!(value instanceof SqlTimestampLiteral || value instanceof SqlUnknownLiteral)) {
      throw notATimestamp(value, null);
    }
    String text = String.valueOf(((SqlLiteral) value).toValue());
    try {
      return new VersionSpec.AsOf(
          LocalDateTime.parse(text.toUpperCase(Locale.ROOT).replace(' ', 'T'))
              .toInstant(ZoneOffset.UTC));
    } catch (DateTimeParseException e) {
      throw notATimestamp(value, e);
    }
  }

  private static LoamException notATimestamp(
      SqlNode value, @Nullable DateTimeParseException cause) {
    return new LoamException(
        ErrorCode.UNSUPPORTED,
        "system time is not a timestamp literal: time="
            + value
            + "; write FOR SYSTEM_TIME AS OF TIMESTAMP '2026-11-29 10:00:00'",
        cause);
  }
}
