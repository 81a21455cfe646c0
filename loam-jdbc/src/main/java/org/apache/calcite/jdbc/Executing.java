package org.apache.calcite.jdbc;

/** A statement, as its result sets see it. */
interface Executing {
  Execution execution();
}
