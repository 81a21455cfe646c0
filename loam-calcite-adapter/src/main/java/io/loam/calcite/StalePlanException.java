package io.loam.calcite;

import io.loam.CollectionName;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;

/** A plan was made for other columns than a collection has now. Nothing has been done yet. */
final class StalePlanException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient CollectionName collection;

  StalePlanException(CollectionName collection) {
    super("columns of " + collection + " have changed");
    this.collection = collection;
  }

  /** The error where another plan would not help, such as in a transaction that began before. */
  LoamException asConflict() {
    return new LoamException(
        ErrorCode.CONFLICT,
        "columns have changed since the statement or its transaction began: table="
            + collection
            + "; run it again",
        this);
  }
}
