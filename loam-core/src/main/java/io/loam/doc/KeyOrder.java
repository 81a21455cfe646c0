package io.loam.doc;

/** The order of documents' keys, by which equal scores are ordered. */
@FunctionalInterface
public interface KeyOrder {
  /**
   * Negative, zero or positive as the key of the first document is less than, equal to or greater
   * than the second's.
   */
  int compare(int leaf1, int doc1, int leaf2, int doc2);
}
