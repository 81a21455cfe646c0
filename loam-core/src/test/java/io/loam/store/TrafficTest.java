package io.loam.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class TrafficTest {
  @Test
  void threadsCountToThoseThatTheyWorkFor() {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Traffic before = Traffic.ofThread();
      Traffic.request();
      Traffic.read(10);
      CompletableFuture.runAsync(
              Traffic.ofCaller(
                  () -> {
                    Traffic.request();
                    Traffic.written(7);
                  }),
              other)
          .join();
      CompletableFuture.runAsync(Traffic::request, other).join();
      assertThat(Traffic.ofThread().since(before)).isEqualTo(new Traffic(2, 10, 7));
      assertThat(CompletableFuture.supplyAsync(Traffic::ofThread, other).join())
          .isEqualTo(new Traffic(1, 0, 0));
    } finally {
      other.shutdownNow();
    }
  }
}
