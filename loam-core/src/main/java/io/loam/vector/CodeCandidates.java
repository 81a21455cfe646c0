package io.loam.vector;

import io.loam.doc.DocSet;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Documents of a leaf whose value, known to lie between two bounds, may reach the k-th greatest.
 * Each is taken once, to be compared.
 */
final class CodeCandidates {
  /** An upper bound that is not as great as any number. */
  private static final float TAKEN = Float.NaN;

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

  /** Takes the candidates with the k greatest lower bounds. */
  DocSet takeSurest(int documents) {
    float kth = lowest.kth();
    return take(documents, i -> lowers[i] >= kth);
  }

  /**
   * Takes the {@code count} with the greatest upper bounds, of those that a value of {@code floor}
   * does not rule out.
   */
  DocSet takeHighest(int documents, long count, float floor) {
    float least = Math.max(threshold, floor);
    GreatestFloats greatest = new GreatestFloats((int) Math.min(count, size + 1L));
    for (int i = 0; i < size; i++) {
      if (uppers[i] >= least) {
        greatest.offer(uppers[i]);
      }
    }
    return takeAll(documents, Math.max(least, greatest.kth()));
  }

  /** Takes all that a value of {@code floor} does not rule out. */
  DocSet takeAll(int documents, float floor) {
    float least = Math.max(threshold, floor);
    return take(documents, i -> uppers[i] >= least);
  }

  private DocSet take(int documents, IntPredicate wanted) {
    long[] bits = new long[DocSet.wordCount(documents)];
    for (int i = 0; i < size; i++) {
      if (wanted.test(i)) {
        bits[docs[i] >>> 6] |= 1L << docs[i];
        uppers[i] = TAKEN;
      }
    }
    return DocSet.ofWords(bits, documents);
  }
}
