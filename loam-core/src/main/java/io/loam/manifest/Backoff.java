package io.loam.manifest;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.concurrent.ThreadLocalRandom;

/** Growing random pauses between attempts that lost a race. */
final class Backoff {
  private static final long LONGEST_MILLIS = 64;

  private long ceilingMillis = 1;

  /** Waits; fails with {@code CANCELLED} if the thread is interrupted. */
  void pause() {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(ceilingMillis + 1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoamException(
          ErrorCode.CANCELLED, "interrupted while waiting for other writers; try again", e);
    }
    ceilingMillis = Math.min(LONGEST_MILLIS, ceilingMillis * 2);
  }
}
