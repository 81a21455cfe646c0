package io.loam.query;

import io.loam.doc.Hit;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Merges the ranked lists of a hybrid's legs. */
final class Fusion {
  private Fusion() {}

  /**
   * Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): a document scores Σ weight /
   * (rrfK + rank) over the legs that found it, with 1-based ranks, summed in the order of the legs.
   */
  static List<Hit> reciprocalRank(List<RankedLeg> legs, double rrfK, int k, KeyOrder keys) {
    Map<Long, Double> scores = new HashMap<>();
    for (RankedLeg leg : legs) {
      int rank = 1;
      for (Hit hit : leg.hits()) {
        scores.merge(
            RankedLeg.id(hit.leaf(), hit.doc()), leg.weight() / (rrfK + rank++), Double::sum);
      }
    }
    TopHits top = new TopHits(k, keys);
    scores.forEach((id, score) -> top.offer((int) (id >>> 32), id.intValue(), score));
    return top.toList();
  }
}
