package io.loam.vector;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import java.util.List;

/** Exact search over decoded vectors. */
public final class VectorSearch {
  private VectorSearch() {}

  /**
   * The best k allowed documents that have a vector, none farther
   * away than the query allows by {@link VectorScores#distance}.
   *
   * @param leaves the runs of each leaf, which do not overlap
   * @param allowed one per leaf
   */
  public static TopHits search(
      VectorQuery query, List<List<VectorRun>> leaves, List<DocSet> allowed, int k, KeyOrder keys) {
    TopHits top = new TopHits(k, keys);
    RunScorer scorer = new RunScorer(query);
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      for (VectorRun run : leaves.get(leaf)) {
        scorer.offerAll(run, leaf, allowed.get(leaf), top);
      }
    }
    return top;
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
