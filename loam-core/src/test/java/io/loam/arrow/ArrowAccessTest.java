package io.loam.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

class ArrowAccessTest {
  @Test
  void arrowWorksWithoutFlags() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    Callable<Boolean> open =
        () -> {
          ArrowAccess.open();
          return true;
        };
    try {
      assertThat(threads.invokeAll(List.of(open, open, open, open)))
          .allSatisfy(f -> assertThat(f.get()).isTrue());
    } finally {
      threads.shutdown();
    }
    try (RootAllocator allocator = new RootAllocator();
        ArrowBuf buffer = allocator.buffer(64)) {
      buffer.setLong(0, 42);
      assertThat(buffer.getLong(0)).isEqualTo(42);
      assertThat(buffer.nioBuffer(0, 8).remaining()).isEqualTo(8);
    }
  }
}
