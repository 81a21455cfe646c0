package io.loam.sparse;

import java.nio.FloatBuffer;
import java.nio.IntBuffer;

/**
 * One inverted list.
 *
 * @param docs ascending doc ids
 * @param weights of the documents at the same places
 */
record Postings(IntBuffer docs, FloatBuffer weights) {

  int size() {
    return docs.limit();
  }

  /** The first place from {@code from} on whose doc id is at least {@code doc}. */
  int firstPlace(int from, int doc) {
    int low = from;
    int high = size();
    while (low < high) {
      int mid = (low + high) >>> 1;
      if (docs.get(mid) < doc) {
        low = mid + 1;
      } else {
        high = mid;
      }
    }
    return low;
  }
}
