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

  boolean isSameAs(RemovedTerms other) {
    return tokens == other.tokens
        && Arrays.equals(codes, other.codes)
        && Arrays.equals(documents, other.documents);
  }

  /** These and more documents, none of which is among these. */
  RemovedTerms with(int[] docs, TokenReader reader) {
    int[] counts = new int[reader.termCount()];
    for (int i = 0; i < codes.length; i++) {
      counts[codes[i]] = documents[i];
    }
    int[] lastDoc = new int[counts.length];
    Arrays.fill(lastDoc, -1);
    long sum = tokens;
    int[] buffer = new int[0];
    for (int doc : docs) {
      buffer = reader.tokens(doc, buffer);
      int length = reader.length(doc);
      sum += length;
      for (int i = 0; i < length; i++) {
        int code = buffer[i];
        if (lastDoc[code] != doc) {
          lastDoc[code] = doc;
          counts[code]++;
        }
      }
    }
    int[] present = new int[counts.length];
    int size = 0;
    for (int code = 0; code < counts.length; code++) {
      if (counts[code] > 0) {
        counts[size] = counts[code];
        present[size++] = code;
      }
    }
    return new RemovedTerms(sum, Arrays.copyOf(present, size), Arrays.copyOf(counts, size));
  }
}
