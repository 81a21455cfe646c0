package io.loam.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.util.List;
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
}
