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
    RunScorer scorer = new RunScorer(query);
    OnFirstUse rotated = new OnFirstUse(query);
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      LeafSearch search =
          new LeafSearch(scorer, rotated, leaves.get(leaf), leaf, allowed.get(leaf), top, stats);
      search.run(query, k);
    }
    return top;
  }

  private record LeafSearch(
      RunScorer scorer,
      OnFirstUse rotated,
      VectorLeaf vectors,
      int leaf,
      DocSet allowed,
      TopHits top,
      VectorSearchStats stats) {

    void run(VectorQuery query, int k) {
      if (query.precision() == VectorQuery.Precision.EXACT || allowed.cardinality() == 0) {
        offer(allowed);
        return;
      }
      Optional<VectorCodes> codes = vectors.codes();
      if (codes.isEmpty()) {
        stats.uncovered(allowed.cardinality());
      }
      if (codes.isEmpty() || allowed.cardinality() < MIN_CODES) {
        offer(allowed);
        return;
      }
      stats.searchedByCodes();
      CodeQuery coded = new CodeQuery(rotated.get(), codes.get());
      CodeCandidates candidates = coded.candidates(allowed, k, top.floor());
      offer(candidates.best(allowed.size()));
      DocSet rest = candidates.rest(allowed.size(), coded.value(top.floor()));
      if (rest.cardinality() > 0) {
        stats.widened();
        offer(rest);
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
        known = new RotatedQuery(query);
        rotated = known;
      }
      return known;
    }
  }

  /** Scores the vectors of one run for one query. */
  private static final class RunScorer {
    private final float[] query;
    private final Metric metric;
    private final int dimension;
    private final double maxDistance;
    private final VectorQuery.Ranking ranking;
    private final double querySquaredNorm;

    RunScorer(VectorQuery query) {
      this.query = query.vector();
      this.metric = query.metric();
      this.dimension = query.vector().length;
      this.maxDistance = query.maxDistance();
      this.ranking = query.ranking();
      this.querySquaredNorm = ExactKernel.squaredNorm(this.query, 0, dimension);
    }

    void offerAll(VectorRun run, int leaf, DocSet allowed, TopHits top) {
      int end = run.firstDoc() + run.count();
      int shift = run.firstRow() - run.firstDoc();
      double floor = top.floor();
      for (int doc = allowed.next(run.firstDoc());
          doc >= 0 && doc < end;
          doc = allowed.next(doc + 1)) {
        int row = doc + shift;
        if (run.isNull(row)) {
          continue;
        }
        double score =
            switch (ranking) {
              case SCORE -> score(run, row);
              case DISTANCE -> 0.0 - distance(run, row);
            };
        if (score >= floor && isNear(run, row)) {
          top.offer(leaf, doc, score);
          floor = top.floor();
        }
      }
    }

    /** A distance is not computed from a score, which may have lost what makes the difference. */
    private boolean isNear(VectorRun run, int row) {
      return maxDistance == Double.POSITIVE_INFINITY || distance(run, row) <= maxDistance;
    }

    private double distance(VectorRun run, int row) {
      return switch (metric) {
        case COSINE -> 1 - score(run, row);
        case L2 ->
            Math.sqrt(ExactKernel.squaredDistance(query, run.data(), row * dimension, dimension));
        case DOT -> 0.0 - score(run, row);
      };
    }

    private double score(VectorRun run, int row) {
      float[] data = run.data();
      int offset = row * dimension;
      return switch (metric) {
        case COSINE ->
            VectorScores.cosine(
                ExactKernel.dot(query, data, offset, dimension),
                querySquaredNorm,
                run.squaredNorms() == null
                    ? ExactKernel.squaredNorm(data, offset, dimension)
                    : run.squaredNorms()[row]);
        case L2 ->
            VectorScores.l2Score(ExactKernel.squaredDistance(query, data, offset, dimension));
        case DOT -> ExactKernel.dot(query, data, offset, dimension) + 0.0;
      };
    }
  }
}
