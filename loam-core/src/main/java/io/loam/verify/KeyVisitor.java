package io.loam.verify;

/** Takes the keys of live documents. */
@FunctionalInterface
interface KeyVisitor {
  /**
   * Takes one.
   *
   * @param object that holds the row
   */
  void visit(String object, long rowId, byte[] key);
}
