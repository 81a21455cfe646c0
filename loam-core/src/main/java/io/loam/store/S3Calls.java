package io.loam.store;

import java.io.EOFException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Makes requests, again where that may help. The SDK must not do so by itself: a write made again
 * fails on its own first attempt, and nobody would know.
 */
final class S3Calls {
  private final S3Pace pace;

  S3Calls(S3Pace pace) {
    this.pace = pace;
  }

  /**
   * What every whole answer has. Fails as a lost answer does where it is missing: HTTP takes a
   * connection that ends between two headers for the end of the answer.
   */
  static <T> T whole(@Nullable T part) {
    if (part == null) {
      throw SdkClientException.create("answer broke off", new EOFException("no more headers"));
    }
    return part;
  }

  /**
   * The answer to a request. An interrupt does not end it, since it would leave an outcome unknown;
   * the thread stays marked as interrupted.
   */
  <T> T run(Supplier<T> request) throws FailedRequest {
    boolean interrupted = Thread.interrupted();
    boolean unsure = false;
    try {
      for (int attempt = 0; ; attempt++) {
        try {
          Traffic.request();
          return request.get();
        } catch (SdkException e) {
          interrupted |= Thread.interrupted() || e instanceof AbortedException;
          S3Failure failure = S3Failure.of(e);
          unsure |= failure == S3Failure.UNSURE;
          if (!failure.isWorthRepeating() || attempt + 1 >= pace.attempts()) {
            throw new FailedRequest(failure, unsure, e);
          }
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pace.pauseMillis(attempt)));
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
