package io.loam.vector;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import java.util.List;
import java.util.Optional;

/** Search for the nearest vectors; every score comes from {@link ExactKernel}. */
public final class VectorSearch {
  /** With fewer documents to look at, codes do not pay. */
  private static final int MIN_CODES = 1_000;

  private VectorSearch() {}

  /**
   * The best k allowed documents that have a vector, none farther away than the query allows by
   * {@link VectorScores#distance}. Where a leaf has codes and the query is not exact, a document
   * whose score is far better than its code tells may be missed.
   *
   * @param allowed one per leaf
   */
  public static TopHits search(
      VectorQuery query,
      List<? extends VectorLeaf> leaves,
      List<DocSet> allowed,
      int k,
      KeyOrder keys,
      VectorSearchStats stats) {
    TopHits top = new TopHits(k, keys);
    search(query, leaves, allowed, k, top, stats);
    return top;
  }

  /**
   * Likewise, among others: none that cannot be among the best that {@code top} keeps.
   *
   * @param top that keeps k
   */
  public static void search(
      VectorQuery query,
      List<? extends VectorLeaf> leaves,
      List<DocSet> allowed,
      int k,
      TopHits top,
      VectorSearchStats stats) {
    ExactScorer scorer = new ExactScorer(query);
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      LeafSearch search =
          new LeafSearch(scorer, leaves.get(leaf), leaf, allowed.get(leaf), top, stats);
      search.run(query, k);
    }
  }

  private record LeafSearch(
      ExactScorer scorer,
      VectorLeaf vectors,
      int leaf,
      DocSet allowed,
      TopHits top,
      VectorSearchStats stats) {

    void run(VectorQuery query, int k) {
      Optional<VectorCodes> codes =
          query.precision() == VectorQuery.Precision.EXACT || allowed.cardinality() < MIN_CODES
              ? Optional.empty()
              : vectors.codes();
      if (codes.isEmpty()) {
        offer(allowed);
        return;
      }
      stats.searchedByCodes();
      CodeQuery coded = new CodeQuery(query, codes.get());
      CodeCandidates candidates = coded.candidates(allowed, k, top.floor());
      offer(candidates.best(allowed.size()));
      offer(candidates.rest(allowed.size(), coded.value(top.floor())));
    }

    private void offer(DocSet docs) {
      if (docs.cardinality() == 0) {
        return;
      }
      stats.scored(docs.cardinality());
      for (VectorRun run : vectors.runs(docs)) {
        scorer.offerAll(run, leaf, docs, top);
      }
    }
  }
}
