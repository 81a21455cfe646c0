package io.loam.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.doc.DocSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DocRangeTest {
  @Test
  void membersComeInBlocks() {
    Random random = new Random(2);
    for (int i = 0; i < 300; i++) {
      int size = random.nextInt(300);
      long[] words = new long[DocSet.wordCount(size)];
      int share = random.nextInt(4);
      for (int doc = 0; doc < size; doc++) {
        words[doc >>> 6] |= (random.nextInt(4) < share ? 1L : 0L) << doc;
      }
      DocSet set = DocSet.ofWords(words, size);
      List<Integer> expected = new ArrayList<>();
      set.forEach(expected::add);
      List<Integer> found = new ArrayList<>();
      int[] block = new int[1 + random.nextInt(100)];
      int n = set.next(0, block);
      for (; n > 0; n = set.next(block[n - 1] + 1, block)) {
        Arrays.stream(block, 0, n).forEach(found::add);
      }
      assertThat(found).isEqualTo(expected);
    }
  }

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
