package io.loam.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.doc.Hit;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LegFusionTest {
  /** Their mean is off by a last bit for some numbers of hits. */
  @ParameterizedTest
  @ValueSource(doubles = {3.436189472051148, 0.1, -7.3, 1e300, 0})
  void equalScoresAreInTheMiddleOfTheirDistribution(double score) {
    for (int count = 1; count <= 60; count++) {
      List<Hit> hits = IntStream.range(0, count).mapToObj(doc -> new Hit(0, doc, score)).toList();
      List<Hit> fused =
          LegFusion.fuse(
              List.of(new RankedLeg(hits, 2)),
              new Fusion.Distribution(),
              count,
              OptionalDouble.empty(),
              (l1, d1, l2, d2) -> Integer.compare(d1, d2));
      assertThat(fused).hasSize(count).allMatch(hit -> hit.score() == 1);
    }
  }
}
