package io.loam.column;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** Values as numbers that compare as the values do. */
final class Numbers {
  private Numbers() {}

  /** Microseconds since 1970-01-01T00:00:00Z, finer parts cut off. */
  static long micros(LocalDateTime utc) {
    return Math.addExact(
        Math.multiplyExact(utc.toEpochSecond(ZoneOffset.UTC), 1_000_000L), utc.getNano() / 1000);
  }
}
