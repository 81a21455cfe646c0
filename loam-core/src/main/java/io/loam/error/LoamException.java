package io.loam.error;

import org.jspecify.annotations.Nullable;

/**
 * The one exception of Loam. Messages read {@code problem: key=value, key=value; how to mend it}:
 * static text first, then the values, then the mend.
 */
public final class LoamException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public LoamException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public LoamException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** The same failure, whose message also has this {@code key=value}, before its others. */
  public LoamException with(String detail) {
    return new LoamException(code, detailed(String.valueOf(getMessage()), detail), this);
  }

  /** A message with another {@code key=value}, before its others. */
  public static String detailed(String message, String detail) {
    int values = message.indexOf(": ");
    int mend = message.indexOf("; ");
    if (values >= 0 && (mend < 0 || values < mend)) {
      return message.substring(0, values + 2) + detail + ", " + message.substring(values + 2);
    }
    return mend < 0
        ? message + ": " + detail
        : message.substring(0, mend) + ": " + detail + message.substring(mend);
  }

  public ErrorCode code() {
    return code;
  }
}
