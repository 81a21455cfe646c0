package io.loam.query;

import io.loam.doc.Hit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The hits of one leg of a hybrid search, best first, and the leg's weight. */
record RankedLeg(List<Hit> hits, double weight) {

  /** One number for a document of a snapshot. */
  static long id(int leaf, int doc) {
    return ((long) leaf << 32) | doc;
  }

  /** 1-based ranks by document. */
  Map<Long, Integer> ranks() {
    Map<Long, Integer> ranks = new HashMap<>();
    for (Hit hit : hits) {
      ranks.put(id(hit.leaf(), hit.doc()), ranks.size() + 1);
    }
    return ranks;
  }
}
