package io.loam.verify;

/** Takes the keys of live documents. */
@FunctionalInterface
interface KeyVisitor {
  /**
   * @param object that holds the row
   */
  void visit(String object, long rowId, byte[] key);
}
