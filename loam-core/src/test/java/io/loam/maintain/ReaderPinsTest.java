package io.loam.maintain;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Metastore;
import io.loam.store.HookedStore;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReaderPinsTest {
  private static final Duration SHORT = Duration.ofSeconds(4);

  @TempDir Path folder;
  private final AtomicInteger writes = new AtomicInteger();
  private volatile boolean away;
  private long nowNanos = 77;
  private ObjectStore store;
  private Metastore metastore;
  private Pins pins;
  private ReaderPins readers;

  @BeforeEach
  void open() {
    store =
        new HookedStore(
            new LocalObjectStore(folder),
            (operation, path) -> {
              if (operation.startsWith("put") && path.contains("/pins/")) {
                writes.incrementAndGet();
                if (away) {
                  throw new LoamException(ErrorCode.STORE_UNAVAILABLE, "store is away; try again");
                }
              }
            });
    metastore = new Metastore(store, "c1");
    metastore.createHead(Head.first("m1"));
    pins = new Pins(store, metastore);
    readers = new ReaderPins(pins, () -> nowNanos);
  }

  @AfterEach
  void close() {
    readers.close();
    store.close();
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
    readers.tick();
  }

  private List<Long> pinned() {
    return pins.live(System.currentTimeMillis()).stream().map(Pins.Pinned::version).toList();
  }

  @Test
  void shortReadersCostNoWrite() {
    for (int i = 0; i < 10; i++) {
      try (ReaderPins.Reader reader = readers.open(1, "m1")) {
        assertThat(reader).isNotNull();
        pass(SHORT);
      }
    }
    pass(SHORT);
    assertThat(writes.get()).isZero();
    assertThat(pinned()).isEmpty();
  }

  @Test
  void longReadersShareAPinThatGoesWithTheLastOfThem() {
    ReaderPins.Reader first = readers.open(1, "m1");
    ReaderPins.Reader second = readers.open(1, "m1");
    pass(SHORT);
    assertThat(pinned()).isEmpty();
    pass(SHORT);
    assertThat(pinned()).containsExactly(1L);
    pass(SHORT);
    assertThat(writes.get()).isEqualTo(1);
    first.close();
    pass(SHORT);
    assertThat(pinned()).containsExactly(1L);
    second.close();
    pass(SHORT);
    assertThat(pinned()).isEmpty();
  }

  @Test
  void pinIsRenewedAndMadeAgainWhereItWasRemoved() {
    ReaderPins.Reader reader = readers.open(1, "m1");
    pass(ReaderPins.PIN_AFTER);
    pass(Duration.ofMinutes(3));
    assertThat(writes.get()).isEqualTo(2);
    store.list("collections/c1/pins/").forEach(object -> store.delete(object.path()));
    pass(Duration.ofMinutes(3));
    assertThat(pinned()).containsExactly(1L);
    reader.close();
  }

  @Test
  void versionThatIsNotRetainedAnyMoreIsNotPinned() {
    metastore.updateHead(head -> head.withVersion(2, "m2"));
    ReaderPins.Reader reader = readers.open(1, "m1");
    metastore.updateHead(head -> head.collected(2));
    pass(ReaderPins.PIN_AFTER);
    pass(SHORT);
    assertThat(pinned()).isEmpty();
    assertThat(writes.get()).isEqualTo(1);
    reader.close();
  }

  @Test
  void storeThatIsAwayIsAskedAgain() {
    ReaderPins.Reader reader = readers.open(1, "m1");
    away = true;
    pass(ReaderPins.PIN_AFTER);
    assertThat(pinned()).isEmpty();
    away = false;
    pass(SHORT);
    assertThat(pinned()).containsExactly(1L);
    readers.close();
    assertThat(pinned()).isEmpty();
    reader.close();
  }

  @Test
  void pinThatIsNotRenewedIsDead() {
    ReaderPins.Reader reader = readers.open(1, "m1");
    pass(ReaderPins.PIN_AFTER);
    long later = System.currentTimeMillis() + Pins.LIFETIME.toMillis() + 10_000;
    assertThat(pins.live(later)).isEmpty();
    reader.close();
  }
}
