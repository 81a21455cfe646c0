package io.loam.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.doc.DocSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DocRangeTest {
  @Test
  void rangesOfASetHaveItsMembersBetweenTheirEnds() {
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      int size = 1 + random.nextInt(300);
      long[] words = new long[DocSet.wordCount(size)];
      for (int doc = 0; doc < size; doc++) {
        words[doc >>> 6] |= (random.nextBoolean() ? 1L : 0L) << doc;
      }
      DocSet set = DocSet.ofWords(words, size);
      int from = random.nextInt(size + 1);
      int to = random.nextInt(size + 1);
      DocSet range = set.between(from, to);
      assertThat(range.size()).isEqualTo(size);
      for (int doc = 0; doc < size; doc++) {
        assertThat(range.contains(doc)).isEqualTo(doc >= from && doc < to && set.contains(doc));
      }
    }
  }
}
