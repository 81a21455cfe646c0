package io.loam.store;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long requests are waited for and how often they are made again.
 *
 * @param attempts at most, at least 1
 * @param firstPauseMillis ceiling of the random pause after the first attempt; it doubles each time
 * @param longestPauseMillis ceiling of all pauses
 * @param attemptTimeout of one attempt, its body included
 */
record S3Pace(
    int attempts, long firstPauseMillis, long longestPauseMillis, Duration attemptTimeout) {
  static final S3Pace DEFAULT = new S3Pace(8, 50, 5_000, Duration.ofMinutes(2));

  /** A pause after the attempt of this number, from 0. */
  long pauseMillis(int attempt) {
    long ceiling = Math.min(longestPauseMillis, firstPauseMillis << Math.min(attempt, 20));
    return ThreadLocalRandom.current().nextLong(ceiling + 1);
  }
}
