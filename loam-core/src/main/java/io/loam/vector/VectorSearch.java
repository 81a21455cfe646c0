package io.loam.vector;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Search for the nearest vectors; every score comes from {@link ExactKernel}. */
public final class VectorSearch {
  /** With fewer documents to look at, codes do not pay. */
  private static final int MIN_CODES = 256;

  /** So many documents for each hit are compared for a floor that rules most of the others out. */
  private static final long HIGHEST_PER_HIT = 2;

  private VectorSearch() {}

  /** Whether codes, where a leaf has some, choose which of these documents are compared. */
  public static boolean asksCodes(DocSet allowed) {
    return allowed.cardinality() >= MIN_CODES;
  }

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
    ExactScorer scorer = new ExactScorer(query);
    OnFirstUse rotated = new OnFirstUse(query);
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      LeafSearch search =
          new LeafSearch(scorer, rotated, leaves.get(leaf), leaf, allowed.get(leaf), top, stats);
      search.run(query, k);
    }
    return top;
  }

  private record LeafSearch(
      ExactScorer scorer,
      OnFirstUse rotated,
      VectorLeaf vectors,
      int leaf,
      DocSet allowed,
      TopHits top,
      VectorSearchStats stats) {

    void run(VectorQuery query, int k) {
      if (query.precision().exact() || !query.suitsCodes() || allowed.cardinality() == 0) {
        offer(allowed);
        return;
      }
      Optional<VectorCodes> codes = vectors.codes();
      if (codes.isEmpty()) {
        stats.uncovered(allowed.cardinality());
      }
      if (codes.isEmpty() || !asksCodes(allowed)) {
        offer(allowed);
        return;
      }
      stats.searchedByCodes();
      CodeQuery coded = new CodeQuery(rotated.get(), codes.get());
      CodeCandidates candidates = coded.candidates(allowed, k, top.floor());
      DocSet surest = candidates.takeSurest(allowed.size());
      offer(surest);
      DocSet highest =
          candidates.takeHighest(allowed.size(), HIGHEST_PER_HIT * k, coded.value(top.floor()));
      offer(highest);
      DocSet rest = candidates.takeAll(allowed.size(), coded.value(top.floor()));
      offer(rest);
      if (rest.cardinality() > 0) {
        stats.widened();
      }
      if (query.precision().refine() > 0) {
        int kept = query.precision().kept(k, k, allowed.cardinality());
        offer(coded.greatest(allowed, kept).andNot(surest).andNot(highest).andNot(rest));
      }
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

  /** The rotated query, once for all leaves and only where one has codes. */
  private static final class OnFirstUse {
    private final VectorQuery query;
    private @Nullable RotatedQuery rotated;

    OnFirstUse(VectorQuery query) {
      this.query = query;
    }

    RotatedQuery get() {
      RotatedQuery known = rotated;
      if (known == null) {
        known = RotatedQuery.of(query);
        rotated = known;
      }
      return known;
    }
  }
}
