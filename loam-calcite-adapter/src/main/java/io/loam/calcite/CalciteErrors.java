package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;

/** Turns what Calcite throws into Loam's errors. */
public final class CalciteErrors {
  private CalciteErrors() {}

  /** The error that a failure means; {@code INTERNAL} where nothing else fits. */
  public static LoamException translate(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof LoamException e) {
        return e;
      }
    }
    return new LoamException(
        ErrorCode.INTERNAL, "statement failed: cause=" + failure + "; report this", failure);
  }
}
