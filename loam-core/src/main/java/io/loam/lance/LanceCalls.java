package io.loam.lance;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.List;
import java.util.Locale;

/**
 * Runs calls of Lance and turns what they throw into {@link LoamException}s that name the dataset.
 */
final class LanceCalls {
  private static final int LONGEST_REASON = 400;

  /**
   * Parts of texts that tell of a store that cannot be reached, or does not answer as it should.
   */
  private static final List<String> UNREACHABLE =
      List.of("os error", "timed out", "generic s3 error", "http error", "error performing");

  /** A call of Lance, whose closeable classes declare {@code Exception}. */
  interface Call<T> {
    T run() throws Exception;
  }

  private LanceCalls() {}

  /** Runs a call that reads: a failure means missing or damaged files, or a failing disk. */
  static <T> T reading(LanceAddress address, Call<T> call) {
    try {
      return call.run();
    } catch (LoamException e) {
      throw e;
    } catch (Exception e) {
      throw failure(address, e, ErrorCode.CORRUPT_OBJECT);
    }
  }

  /** Runs a call that writes new files: a failure leaves nothing that any version names. */
  static <T> T writing(String uri, Call<T> call) {
    try {
      return call.run();
    } catch (LoamException e) {
      throw e;
    } catch (Exception e) {
      throw failure(LanceAddress.local(uri), e, ErrorCode.STORE_UNAVAILABLE);
    }
  }

  private static LoamException failure(LanceAddress address, Exception e, ErrorCode otherwise) {
    String message = String.valueOf(e.getMessage());
    boolean tells = !address.hideKeysIn(message).equals(message);
    String reason = reason(address.hideKeysIn(message));
    ErrorCode code = code(reason.toLowerCase(Locale.ROOT), otherwise);
    String mend =
        switch (code) {
          case MISSING_OBJECT, CORRUPT_OBJECT -> "restore the dataset's files from a copy";
          default -> "check the store, its free space and its permissions";
        };
    return new LoamException(
        code,
        "Lance dataset failed: uri=" + address.uri() + ", reason=" + reason + "; " + mend,
        tells ? null : e); // a cause's text would show the keys
  }

  // Lance reports all of these as one exception class, so its text has to tell.
  private static ErrorCode code(String reason, ErrorCode otherwise) {
    if (reason.contains("not found") || reason.contains("no such file")) {
      return ErrorCode.MISSING_OBJECT;
    }
    return UNREACHABLE.stream().anyMatch(reason::contains)
        ? ErrorCode.STORE_UNAVAILABLE
        : otherwise;
  }

  /** Lance's message without the places in its source code. */
  private static String reason(String text) {
    String message = text.replaceAll(", /[^ ,]+\\.rs:\\d+:\\d+", "");
    return message.length() <= LONGEST_REASON
        ? message
        : message.substring(0, LONGEST_REASON) + "…";
  }
}
