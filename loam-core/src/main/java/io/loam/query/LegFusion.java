package io.loam.query;

import io.loam.doc.Hit;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Merges the ranked lists of a hybrid's legs. A document scores Σ weight · value over the legs that
 * found it, in the order of the legs; what its value is in a leg is up to the {@link Fusion}.
 */
final class LegFusion {
  private LegFusion() {}

  /** The best of the fused documents, none of which scores less than {@code minScore}. */
  static List<Hit> fuse(
      List<RankedLeg> legs, Fusion fusion, int k, OptionalDouble minScore, KeyOrder keys) {
    Map<Long, Double> scores = new HashMap<>();
    for (RankedLeg leg : legs) {
      double[] contributions = contributions(leg, fusion);
      for (int i = 0; i < contributions.length; i++) {
        Hit hit = leg.hits().get(i);
        scores.merge(RankedLeg.id(hit.leaf(), hit.doc()), contributions[i], Double::sum);
      }
    }
    double least = minScore.orElse(Double.NEGATIVE_INFINITY);
    TopHits top = new TopHits(k, keys);
    scores.forEach(
        (id, score) -> {
          if (score >= least) {
            top.offer((int) (id >>> 32), id.intValue(), score);
          }
        });
    return top.toList();
  }

  /** What a leg adds to the score of each of its hits. */
  private static double[] contributions(RankedLeg leg, Fusion fusion) {
    double weight = leg.weight();
    if (fusion instanceof Fusion.ReciprocalRank rrf) {
      double[] ranked = new double[leg.hits().size()];
      Arrays.setAll(ranked, i -> weight / (rrf.k() + (i + 1)));
      return ranked;
    }
    double[] scores = leg.hits().stream().mapToDouble(Hit::score).toArray();
    double[] scaled = fusion instanceof Fusion.MinMax ? minMax(scores) : distribution(scores);
    Arrays.setAll(scaled, i -> weight * scaled[i]);
    return scaled;
  }

  /** 1 for all where all are equal. */
  private static double[] minMax(double[] scores) {
    double[] scaled = new double[scores.length];
    if (scores.length > 0) {
      double greatest = scores[0];
      double least = scores[scores.length - 1];
      Arrays.setAll(scaled, i -> areEqual(scores) ? 1 : (scores[i] - least) / (greatest - least));
    }
    return scaled;
  }

  /** Scores come in falling order. */
  private static boolean areEqual(double[] scores) {
    return scores[0] == scores[scores.length - 1];
  }

  /**
   * Distribution-based score fusion, not cut to 0…1: (s − (μ − 3σ)) / 6σ with the deviation of the
   * list itself, summed in the order of ranks; 0.5 for all where all are equal, which rounding of
   * the mean must not hide.
   */
  private static double[] distribution(double[] scores) {
    double sum = 0;
    for (double score : scores) {
      sum += score;
    }
    double mean = sum / scores.length;
    double squares = 0;
    for (double score : scores) {
      squares += (score - mean) * (score - mean);
    }
    double deviation = Math.sqrt(squares / scores.length);
    double[] scaled = new double[scores.length];
    Arrays.setAll(
        scaled,
        i ->
            deviation == 0 || areEqual(scores)
                ? 0.5
                : (scores[i] - (mean - 3 * deviation)) / (6 * deviation));
    return scaled;
  }
}
