package io.loam.store;

import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** A request to S3 that failed for good. */
final class FailedRequest extends Exception {
  private static final long serialVersionUID = 1L;

  private final S3Failure failure;
  private final boolean unsure;

  FailedRequest(S3Failure failure, boolean unsure, SdkException cause) {
    super(cause);
    this.failure = failure;
    this.unsure = unsure;
  }

  /** {@code status=…, code=…, reason=…}, the former two where there was an answer. */
  String facts() {
    String reason = "reason=" + getCause().getMessage();
    return getCause() instanceof S3Exception answer
        ? "status=%d, code=%s, %s"
            .formatted(answer.statusCode(), S3Failure.errorCode(answer), reason)
        : reason;
  }

  /** What the last attempt said. */
  S3Failure failure() {
    return failure;
  }

  /** The same failure of a request that changes no object. */
  FailedRequest withoutEffect() {
    return new FailedRequest(failure, false, (SdkException) getCause());
  }

  /** Whether any attempt may have been applied, or may still be. */
  boolean isUnsure() {
    return unsure;
  }
}
