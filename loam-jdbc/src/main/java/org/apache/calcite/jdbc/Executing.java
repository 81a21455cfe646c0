package org.apache.calcite.jdbc;

/** A statement, as its result sets and its connection see it. */
interface Executing {
  Execution execution();

  /** Ends what the statement runs and closes it; never waits for it. */
  default void closeThen(Runnable then) {
    execution().closeThen(then);
  }
}
