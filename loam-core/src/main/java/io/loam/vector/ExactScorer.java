package io.loam.vector;

import io.loam.doc.DocSet;
import io.loam.doc.TopHits;

/** Scores vectors for one query, exactly. */
final class ExactScorer {
  /** Makes up for rounding, of which a few operations add up to less. */
  private static final double ALMOST_MORE = 1 + 1e-14;

  private final float[] query;
  private final Metric metric;
  private final int dimension;
  private final double maxDistance;
  private final VectorQuery.Ranking ranking;
  private final double querySquaredNorm;

  ExactScorer(VectorQuery query) {
    this.query = query.vector();
    this.metric = query.metric();
    this.dimension = query.vector().length;
    this.maxDistance = query.maxDistance();
    this.ranking = query.ranking();
    this.querySquaredNorm = ExactKernel.squaredNorm(this.query, 0, dimension);
  }

  /** Offers the allowed documents of a run. */
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
      int offset = row * dimension;
      double squaredNorm = squaredNorm(run, row);
      double rank = rank(run.data(), offset, squaredNorm, floor);
      if (rank >= floor && isNear(run.data(), offset, squaredNorm)) {
        top.offer(leaf, doc, rank);
        floor = top.floor();
      }
    }
  }

  /** Known, or only needed and computed under cosine. */
  private double squaredNorm(VectorRun run, int row) {
    if (run.squaredNorms() != null) {
      return run.squaredNorms()[row];
    }
    return metric == Metric.COSINE
        ? ExactKernel.squaredNorm(run.data(), row * dimension, dimension)
        : 0;
  }

  /**
   * By what the vector at {@code data[offset]} is ranked, or something less than {@code floor}
   * where that is less.
   */
  double rank(float[] data, int offset, double squaredNorm, double floor) {
    if (metric == Metric.L2) {
      double squaredDistance =
          ExactKernel.squaredDistance(query, data, offset, dimension, mostSquaredDistance(floor));
      return switch (ranking) {
        case SCORE -> VectorScores.l2Score(squaredDistance);
        case DISTANCE -> 0.0 - Math.sqrt(squaredDistance);
      };
    }
    return switch (ranking) {
      case SCORE -> score(data, offset, squaredNorm);
      case DISTANCE -> 0.0 - distance(data, offset, squaredNorm);
    };
  }

  /** A squared distance of which each greater one is ranked below {@code floor}. */
  private double mostSquaredDistance(double floor) {
    return switch (ranking) {
      case SCORE -> floor > 0 ? ALMOST_MORE / floor - 1 : Double.POSITIVE_INFINITY;
      case DISTANCE -> floor * floor * ALMOST_MORE;
    };
  }

  /** A distance is not computed from a score, which may have lost what makes the difference. */
  boolean isNear(float[] data, int offset, double squaredNorm) {
    return maxDistance == Double.POSITIVE_INFINITY
        || distance(data, offset, squaredNorm) <= maxDistance;
  }

  private double distance(float[] data, int offset, double squaredNorm) {
    return switch (metric) {
      case COSINE -> 1 - score(data, offset, squaredNorm);
      case L2 -> Math.sqrt(ExactKernel.squaredDistance(query, data, offset, dimension));
      case DOT -> 0.0 - score(data, offset, squaredNorm);
    };
  }

  private double score(float[] data, int offset, double squaredNorm) {
    return switch (metric) {
      case COSINE ->
          VectorScores.cosine(
              ExactKernel.dot(query, data, offset, dimension), querySquaredNorm, squaredNorm);
      case L2 -> VectorScores.l2Score(ExactKernel.squaredDistance(query, data, offset, dimension));
      case DOT -> ExactKernel.dot(query, data, offset, dimension) + 0.0;
    };
  }
}
