package io.loam.store;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What a failed request says about the object, and whether to make it again. */
enum S3Failure {
  /** There is no such object. */
  MISSING(false),
  /** The condition of a write did not hold. */
  CONDITION(false),
  /** The bytes asked for lie past the object's end. */
  RANGE(false),
  /** Nothing was applied; the same request may succeed. */
  BUSY(true),
  /** A write may have been, or may still be, applied; the same request may succeed. */
  UNSURE(true),
  /** Nothing was applied, and the same request will fail again. */
  REFUSED(false);

  private static final Set<String> THROTTLED =
      Set.of("SlowDown", "Throttling", "ThrottlingException", "TooManyRequests", "RequestTimeout");

  private final boolean worthRepeating;

  S3Failure(boolean worthRepeating) {
    this.worthRepeating = worthRepeating;
  }

  boolean isWorthRepeating() {
    return worthRepeating;
  }

  static S3Failure of(SdkException failure) {
    return failure instanceof S3Exception answer ? ofAnswer(answer) : ofSilence(failure);
  }

  private static S3Failure ofAnswer(S3Exception answer) {
    if (THROTTLED.contains(errorCode(answer))) {
      return BUSY;
    }
    return switch (answer.statusCode()) {
      case 404 -> errorCode(answer).equals("NoSuchBucket") ? REFUSED : MISSING;
      case 412 -> CONDITION;
      case 416 -> RANGE;
      // A conditional write that met another one in flight: no verdict.
      case 409, 429 -> BUSY;
      default -> answer.statusCode() >= 500 ? UNSURE : REFUSED;
    };
  }

  /** The error code of an answer, empty where it has none. */
  static String errorCode(S3Exception answer) {
    String code = answer.awsErrorDetails() == null ? null : answer.awsErrorDetails().errorCode();
    return code == null ? "" : code;
  }

  private static S3Failure ofSilence(SdkException failure) {
    if (failure instanceof ApiCallAttemptTimeoutException || failure instanceof AbortedException) {
      return UNSURE;
    }
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException
          || cause instanceof ConnectTimeoutException
          || cause instanceof NoRouteToHostException
          || cause instanceof UnknownHostException) {
        return BUSY; // Nobody was reached.
      }
      if (cause instanceof IOException || cause instanceof XMLStreamException) {
        return UNSURE; // No answer, or one that broke off.
      }
    }
    return REFUSED;
  }
}
