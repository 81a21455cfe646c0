package io.loam.query;

import io.loam.doc.Hit;
import io.loam.leaf.OpenVersion;
import io.loam.schema.Field;
import io.loam.vector.Metric;
import io.loam.vector.VectorScores;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a search tells of its rows beside their scores.
 *
 * @param vector the search whose distance the DISTANCE column shows
 * @param byDistance whether the scores are distances less than 0
 * @param ranks by leg, 1-based ranks by document
 * @param legScores by leg, scores by document
 */
record ScoredRows(
    Optional<Distance> vector,
    boolean byDistance,
    List<Map<Long, Integer>> ranks,
    List<Map<Long, Double>> legScores) {
  static final ScoredRows NONE = new ScoredRows(Optional.empty(), false, List.of(), List.of());

  /** The distance of a vector of a field from a query. */
  record Distance(int fieldNumber, Metric metric, float[] query) {
    double of(float[] vector) {
      return VectorScores.distance(metric, query, vector, 0, query.length);
    }
  }

  static ScoredRows of(Search search, SearchRunner.Result result, OpenVersion version) {
    List<Map<Long, Integer>> ranks = new ArrayList<>();
    List<Map<Long, Double>> scores = new ArrayList<>();
    for (RankedLeg leg : result.legs()) {
      ranks.add(leg.ranks());
      Map<Long, Double> byDoc = new HashMap<>();
      for (Hit h : leg.hits()) {
        byDoc.put(RankedLeg.id(h.leaf(), h.doc()), h.score());
      }
      scores.add(byDoc);
    }
    Optional<Distance> distance = Optional.empty();
    if (search instanceof Search.Vector v) {
      Field field = version.schema().field(v.fieldNumber());
      distance =
          Optional.of(new Distance(v.fieldNumber(), SearchRunner.metric(v, field), v.query()));
    }
    return new ScoredRows(distance, search instanceof Search.ByDistance, ranks, scores);
  }
}
