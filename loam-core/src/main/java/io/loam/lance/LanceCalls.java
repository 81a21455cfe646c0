package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.Locale;

/**
 * Runs calls of Lance and turns what they throw into {@link LoamException}s that name the dataset.
 */
final class LanceCalls {
  private static final int LONGEST_REASON = 400;

  /** A call of Lance, whose closeable classes declare {@code Exception}. */
  interface Call<T> {
    T run() throws Exception;
  }

  private LanceCalls() {}

  /** Runs a call that reads: a failure means missing or damaged files, or a failing disk. */
  static <T> T reading(String uri, Call<T> call) {
    try {
      return call.run();
    } catch (LoamException e) {
      throw e;
    } catch (Exception e) {
      throw failure(uri, e, ErrorCode.CORRUPT_OBJECT);
    }
  }

  /** Runs a call that writes new files: a failure leaves nothing that any version names. */
  static <T> T writing(String uri, Call<T> call) {
    try {
      return call.run();
    } catch (LoamException e) {
      throw e;
    } catch (Exception e) {
      throw failure(uri, e, ErrorCode.STORE_UNAVAILABLE);
    }
  }

  private static LoamException failure(String uri, Exception e, ErrorCode otherwise) {
    String reason = reason(e);
    ErrorCode code = code(reason.toLowerCase(Locale.ROOT), otherwise);
    String mend =
        switch (code) {
          case MISSING_OBJECT, CORRUPT_OBJECT -> "restore the dataset's files from a copy";
          default -> "check the store, its free space and its permissions";
        };
    return new LoamException(
        code, "Lance dataset failed: uri=" + uri + ", reason=" + reason + "; " + mend, e);
  }

  // Lance reports all of these as one exception class, so its text has to tell.
  private static ErrorCode code(String reason, ErrorCode otherwise) {
    if (reason.contains("not found") || reason.contains("no such file")) {
      return ErrorCode.MISSING_OBJECT;
    }
    return reason.contains("os error") || reason.contains("timed out")
        ? ErrorCode.STORE_UNAVAILABLE
        : otherwise;
  }

  /** Lance's message without the places in its source code. */
  private static String reason(Exception e) {
    String message = String.valueOf(e.getMessage()).replaceAll(", /[^ ,]+\\.rs:\\d+:\\d+", "");
    return message.length() <= LONGEST_REASON
        ? message
        : message.substring(0, LONGEST_REASON) + "…";
  }
}
