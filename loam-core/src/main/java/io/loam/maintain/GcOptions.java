package io.loam.maintain;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.time.Duration;

/**
 * How garbage is collected.
 *
 * @param grace how old an object must be, by the store's clock; not negative
 * @param dryRun whether to tell only what would be removed
 */
public record GcOptions(Duration grace, boolean dryRun) {
  public static final Duration DEFAULT_GRACE = Duration.ofHours(1);

  public GcOptions {
    if (grace.isNegative()) {
      throw new LoamException(
          ErrorCode.INVALID_ARGUMENT, "grace is negative: grace=" + grace + "; give 0 or more");
    }
  }

  public static GcOptions defaults() {
    return new GcOptions(DEFAULT_GRACE, false);
  }

  /** The same with another grace. */
  public GcOptions withGrace(Duration newGrace) {
    return new GcOptions(newGrace, dryRun);
  }

  /** The same, but only telling what would be removed. */
  public GcOptions asDryRun() {
    return new GcOptions(grace, true);
  }
}
