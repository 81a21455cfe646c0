package io.loam.text;

import java.util.Arrays;

/**
 * What the deleted documents of a split took from the statistics of one text field. Immutable.
 *
 * @param tokens tokens of the deleted documents
 * @param codes ascending codes of the terms that deleted documents have
 * @param documents by place in {@code codes}, the deleted documents that have the term
 */
public record RemovedTerms(long tokens, int[] codes, int[] documents) {

  /** Nothing was deleted. */
  public static final RemovedTerms NONE = new RemovedTerms(0, new int[0], new int[0]);

  /** Deleted documents that have the term. */
  public int documents(int code) {
    int at = Arrays.binarySearch(codes, code);
    return at < 0 ? 0 : documents[at];
  }
}
