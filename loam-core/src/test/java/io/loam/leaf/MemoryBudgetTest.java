package io.loam.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.leaf.MemoryBudget.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private final MemoryBudget memory = new MemoryBudget(1 << 20);

  private static Slot slot(String object) {
    return new Slot(object, 1, String.class);
  }

  private static long size(String value) {
    return value.length();
  }

  /** Slots of an empty cache share its few bins, so that some of these pairs meet in one. */
  @Test
  void decodingMayAskForOtherSlots() {
    for (int i = 0; i < 500; i++) {
      MemoryBudget fresh = new MemoryBudget(1 << 20);
      Slot inner = slot("inner" + i);
      String value =
          fresh.get(
              slot("outer" + i),
              () -> "of " + fresh.get(inner, () -> "inner", MemoryBudgetTest::size),
              MemoryBudgetTest::size);
      assertThat(value).isEqualTo("of inner");
      assertThat(fresh.peek(inner, String.class)).contains("inner");
    }
  }

  @Test
  void failureIsForTheCallerAndIsNotKept() {
    assertThatThrownBy(
            () ->
                memory.<String>get(
                    slot("a"),
                    () -> {
                      throw new IllegalStateException("damaged");
                    },
                    MemoryBudgetTest::size))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("damaged");
    assertThat(memory.get(slot("a"), () -> "sound", MemoryBudgetTest::size)).isEqualTo("sound");
  }

  @Test
  void valueIsDecodedOnceForAllThatAsk() throws Exception {
    AtomicInteger decoded = new AtomicInteger();
    Callable<String> ask =
        () ->
            memory.get(
                slot("a"), () -> "value " + decoded.incrementAndGet(), MemoryBudgetTest::size);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<String> values = new ArrayList<>();
      for (Future<String> future : threads.invokeAll(List.of(ask, ask, ask, ask))) {
        values.add(future.get());
      }
      assertThat(values).containsOnly("value 1");
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void valueOverTheLimitIsHandedOutAndNotKept() {
    String value = memory.get(slot("a"), () -> "large", v -> 2L << 20);
    assertThat(value).isEqualTo("large");
    assertThat(memory.peek(slot("a"), String.class)).isEmpty();
  }
}
