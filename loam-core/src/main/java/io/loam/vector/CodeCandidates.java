package io.loam.vector;

import io.loam.doc.DocSet;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Documents of a leaf whose value, known to lie between two bounds, may reach the k-th greatest.
 */
final class CodeCandidates {
  private final GreatestFloats lowest;
  private float threshold;
  private int[] docs = new int[256];
  private float[] uppers = new float[256];
  private float[] lowers = new float[256];
  private int size;

  /**
   * @param floor value below which no document is wanted
   */
  CodeCandidates(int k, float floor) {
    this.lowest = new GreatestFloats(k);
    this.threshold = floor;
  }

  /** The least upper bound that makes a candidate. */
  float threshold() {
    return threshold;
  }

  void add(int doc, float upper, float lower) {
    if (size == docs.length) {
      docs = Arrays.copyOf(docs, 2 * size);
      uppers = Arrays.copyOf(uppers, 2 * size);
      lowers = Arrays.copyOf(lowers, 2 * size);
    }
    docs[size] = doc;
    uppers[size] = upper;
    lowers[size++] = lower;
    lowest.offer(lower);
    threshold = Math.max(threshold, lowest.kth());
  }

  /** The most promising candidates: those with the k greatest lower bounds. */
  DocSet best(int documents) {
    float kth = lowest.kth();
    return select(documents, i -> lowers[i] >= kth);
  }

  /** The other candidates, as far as a value of {@code floor} does not rule them out. */
  DocSet rest(int documents, float floor) {
    float kth = lowest.kth();
    float least = Math.max(threshold, floor);
    return select(documents, i -> lowers[i] < kth && uppers[i] >= least);
  }

  private DocSet select(int documents, IntPredicate wanted) {
    long[] bits = new long[DocSet.wordCount(documents)];
    for (int i = 0; i < size; i++) {
      if (wanted.test(i)) {
        bits[docs[i] >>> 6] |= 1L << docs[i];
      }
    }
    return DocSet.ofWords(bits, documents);
  }
}
