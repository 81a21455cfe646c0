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

  public ErrorCode code() {
    return code;
  }
}
