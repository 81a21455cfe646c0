package io.loam.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class S3PaceTest {
  @Test
  void pausesAreRandomAndGrowUpToALimit() {
    S3Pace pace = S3Pace.DEFAULT;
    long ceiling = pace.firstPauseMillis();
    for (int attempt = 0; attempt < 70; attempt++) {
      int number = attempt;
      long[] pauses = LongStream.generate(() -> pace.pauseMillis(number)).limit(500).toArray();
      assertThat(LongStream.of(pauses).max().orElseThrow()).isBetween(ceiling * 9 / 10, ceiling);
      assertThat(LongStream.of(pauses).min().orElseThrow()).isBetween(0L, ceiling / 10);
      assertThat(LongStream.of(pauses).distinct().count()).isGreaterThan(20);
      ceiling = Math.min(pace.longestPauseMillis(), ceiling * 2);
    }
  }
}
