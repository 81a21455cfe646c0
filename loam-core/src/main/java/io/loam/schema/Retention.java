package io.loam.schema;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long a collection's versions can be read. The head's version always can; an older one as long
 * as it is one of the newest, or was superseded not long ago, or has a tag.
 *
 * @param minutes since a version was superseded, at least 0
 * @param versions newest versions that are retained whatever their age, at least 1
 */
public record Retention(long minutes, int versions) {
  static final String MINUTES_OPTION = "retention.minutes";
  static final String VERSIONS_OPTION = "retention.versions";

  private static final long DEFAULT_MINUTES = 24 * 60;
  private static final int DEFAULT_VERSIONS = 10;

  /** Of the options of a schema, or fails with {@code INVALID_SCHEMA}. */
  static Retention of(Map<String, String> options) {
    return new Retention(
        number(options, MINUTES_OPTION, DEFAULT_MINUTES, 0, Limits.MAX_RETENTION_MINUTES),
        (int) number(options, VERSIONS_OPTION, DEFAULT_VERSIONS, 1, Limits.MAX_RETENTION_VERSIONS));
  }

  private static long number(
      Map<String, String> options, String name, long defaultValue, long least, long most) {
    String text = options.get(name);
    if (text == null) {
      return defaultValue;
    }
    try {
      long value = Long.parseLong(text.trim());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw invalid(name, text, least, most, e);
    }
    throw invalid(name, text, least, most, null);
  }

  private static LoamException invalid(
      String name, String text, long least, long most, @Nullable Throwable cause) {
    return new LoamException(
        ErrorCode.INVALID_SCHEMA,
        "retention out of range: %s=%s; use a whole number from %d to %d"
            .formatted(name, text, least, most),
        cause);
  }
}
