package io.loam.doc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Keeps the best k of the hits offered: higher scores first, equal scores by key. Not safe for use
 * by several threads.
 */
public final class TopHits {
  private final int k;
  private final Comparator<Hit> bestFirst;
  private final PriorityQueue<Hit> worstFirst;

  public TopHits(int k, KeyOrder keys) {
    this(
        k,
        (a, b) -> {
          int byScore = Double.compare(b.score(), a.score());
          return byScore != 0 ? byScore : keys.compare(a.leaf(), a.doc(), b.leaf(), b.doc());
        });
  }

  private TopHits(int k, Comparator<Hit> bestFirst) {
    this.k = k;
    this.bestFirst = bestFirst;
    this.worstFirst = new PriorityQueue<>(Math.min(k, 1024) + 1, bestFirst.reversed());
  }

  /** Offers a hit; the same document is offered at most once. */
  public void offer(int leaf, int doc, double score) {
    if (worstFirst.size() == k) {
      Hit worst = worstFirst.element();
      if (score < worst.score()) {
        return;
      }
      Hit hit = new Hit(leaf, doc, score);
      if (bestFirst.compare(hit, worst) < 0) {
        worstFirst.remove();
        worstFirst.add(hit);
      }
      return;
    }
    worstFirst.add(new Hit(leaf, doc, score));
  }

  /**
   * The score below which an offer is refused: the k-th best so far, or negative infinity while
   * there are fewer.
   */
  public double floor() {
    return worstFirst.size() < k ? Double.NEGATIVE_INFINITY : worstFirst.element().score();
  }

  /** Another one that keeps as many in the same order, with none yet. */
  public TopHits empty() {
    return new TopHits(k, bestFirst);
  }

  public void offerAll(TopHits other) {
    other.worstFirst.forEach(h -> offer(h.leaf(), h.doc(), h.score()));
  }

  /** The hits kept, best first. */
  public List<Hit> toList() {
    List<Hit> hits = new ArrayList<>(worstFirst);
    hits.sort(bestFirst);
    return hits;
  }
}
