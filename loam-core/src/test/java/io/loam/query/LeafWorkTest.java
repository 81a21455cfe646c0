package io.loam.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.doc.DocSet;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LeafWorkTest {
  private static final long MUCH = LeafWork.LEAST_SHARED;

  @Test
  void resultsAreInOrderHoweverManyThreadsAsk() {
    List<Integer> squares = IntStream.range(0, 500).mapToObj(i -> i * i).toList();
    IntStream.range(0, 64)
        .parallel()
        .forEach(caller -> assertThat(LeafWork.map(500, i -> MUCH, i -> i * i)).isEqualTo(squares));
  }

  @Test
  void littleWorkStaysWithItsCaller() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    LeafWork.map(100, i -> 1, i -> threads.add(Thread.currentThread()));
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  /** A helper that is not idle yet after the last test is not waited for, so this tries again. */
  @Test
  @Timeout(60)
  void muchWorkIsShared() {
    Set<Thread> threads = Set.of();
    while (LeafWork.PARTS > 1 && threads.size() < 2) {
      CountDownLatch both = new CountDownLatch(2);
      threads = Set.copyOf(LeafWork.map(2, i -> MUCH, i -> meet(both)));
    }
    assertThat(LeafWork.PARTS == 1 || threads.contains(Thread.currentThread())).isTrue();
  }

  private static Thread meet(CountDownLatch both) {
    try {
      both.countDown();
      boolean met = both.await(100, TimeUnit.MILLISECONDS);
      assertThat(met || both.getCount() == 1).isTrue();
      return Thread.currentThread();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void workMayHaveWorkOfItsOwn() {
    List<Integer> sums =
        LeafWork.map(
            50,
            i -> MUCH,
            i -> LeafWork.map(50, j -> MUCH, j -> i).stream().mapToInt(n -> n).sum());
    assertThat(sums).isEqualTo(IntStream.range(0, 50).mapToObj(i -> 50 * i).toList());
  }

  @Test
  void theFirstErrorIsThrownAsItWas() {
    LoamException first = new LoamException(ErrorCode.CANCELLED, "first");
    assertThatThrownBy(
            () ->
                LeafWork.map(
                    100,
                    i -> MUCH,
                    i -> {
                      if (i == 20) {
                        throw first;
                      }
                      if (i > 20) {
                        throw new IllegalStateException("later");
                      }
                      return i;
                    }))
        .isSameAs(first);
  }

  /** Sets without members, with few and with all of them, in any order. */
  @Test
  void partsTogetherHoldEachDocumentOnce() {
    Random random = new Random(9);
    for (int round = 0; round < 200; round++) {
      List<DocSet> sets = new ArrayList<>();
      for (int leaf = random.nextInt(6); leaf >= 0; leaf--) {
        sets.add(set(random, random.nextInt(300), random.nextInt(4) / 3.0));
      }
      List<List<DocSet>> parts = LeafWork.mapParts(sets, MUCH, part -> part);
      assertThat(parts).hasSize(LeafWork.PARTS);
      for (int leaf = 0; leaf < sets.size(); leaf++) {
        List<Integer> members = new ArrayList<>();
        for (List<DocSet> part : parts) {
          assertThat(part.get(leaf).size()).isEqualTo(sets.get(leaf).size());
          part.get(leaf).forEach(members::add);
        }
        List<Integer> expected = new ArrayList<>();
        sets.get(leaf).forEach(expected::add);
        assertThat(members).isEqualTo(expected);
      }
    }
  }

  private static DocSet set(Random random, int size, double share) {
    long[] words = new long[DocSet.wordCount(size)];
    for (int doc = 0; doc < size; doc++) {
      if (random.nextDouble() < share) {
        words[doc >>> 6] |= 1L << doc;
      }
    }
    return DocSet.ofWords(words, size);
  }
}
