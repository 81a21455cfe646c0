package io.loam.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Head;
import io.loam.manifest.Metastore;
import io.loam.store.HookedStore;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaseTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** A clock that a test turns. */
  private static final class TestClock extends Clock {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }

    void pass(Duration time) {
      now = now.plus(time);
    }
  }

  @TempDir Path folder;
  private final TestClock clock = new TestClock();
  private ObjectStore store;
  private Metastore metastore;
  private Leases leases;

  @BeforeEach
  void open() {
    store = new LocalObjectStore(folder);
    metastore = new Metastore(store, "c1");
    metastore.createHead(Head.first("m"));
    leases = new Leases(store, metastore, clock);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static void assertConflict(Runnable use, String message) {
    assertThatThrownBy(use::run)
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
        .hasMessageContaining(message);
  }

  private Head head() {
    return metastore.head().value();
  }

  @Test
  void oneHoldsItAtATime() {
    try (Lease lease = leases.acquire("gc", MINUTE)) {
      lease.check(head());
      assertConflict(() -> leases.acquire("optimize", MINUTE), "holder=gc ");
      clock.pass(Duration.ofSeconds(59));
      assertConflict(() -> leases.acquire("optimize", MINUTE), "until=2026-01-01T00:01:00Z");
    }
    try (Lease lease = leases.acquire("optimize", MINUTE)) {
      lease.check(head());
      assertThat(lease.epoch()).isZero();
    }
  }

  @Test
  void renewalMovesTheDeadline() {
    try (Lease lease = leases.acquire("gc", MINUTE)) {
      for (int i = 0; i < 5; i++) {
        clock.pass(Duration.ofSeconds(40));
        lease.renewIfDue();
      }
      clock.pass(Duration.ofSeconds(59));
      assertConflict(() -> leases.acquire("gc", MINUTE), "holder=gc ");
      lease.check(head());
    }
  }

  @Test
  void p4_takeoverRaisesTheEpochSoThatTheOldHolderCommitsNothing() {
    Lease old = leases.acquire("gc", MINUTE);
    clock.pass(MINUTE);
    Lease next = leases.acquire("gc", MINUTE);
    assertThat(next.epoch()).isEqualTo(1);
    assertThat(head().leaseEpoch()).isEqualTo(1);
    assertConflict(() -> old.check(head()), "lease was taken over");
    next.check(head());
    // Neither renewing nor giving back what was lost disturbs the new holder.
    clock.pass(Duration.ofSeconds(30));
    old.renewIfDue();
    old.close();
    assertConflict(() -> leases.acquire("gc", MINUTE), "holder=gc ");
    next.close();
    leases.acquire("gc", MINUTE).close();
    assertConflict(() -> old.check(head()), "epoch=0, epochNow=1");
  }

  @Test
  void keptAliveItOutlivesItsTimeButNotSilence() throws Exception {
    Duration time = Duration.ofMillis(30); // of which the test's clock passes none by itself
    try (Lease lease = leases.acquire("optimize", time).keepAlive()) {
      for (int i = 0; i < 5; i++) {
        lease.progress();
        clock.pass(Duration.ofMillis(20));
        String before = deadline();
        for (int wait = 0; wait < 500 && deadline().equals(before); wait++) {
          Thread.sleep(5);
        }
        assertConflict(() -> leases.acquire("gc", time), "holder=optimize ");
      }
      clock.pass(Lease.LONGEST_SILENCE);
      Thread.sleep(50);
      leases.acquire("gc", time).close();
      assertConflict(() -> lease.check(head()), "lease was taken over");
    }
  }

  /** The lease's content, which every renewal changes. */
  private String deadline() {
    return new String(
        store.get("collections/c1/lease").orElseThrow().content(), StandardCharsets.UTF_8);
  }

  @Test
  void workThatSomebodyAskedForWaitsForWorkInTheBackground() throws Exception {
    Lease background = leases.acquire(Leases.BACKGROUND, MINUTE);
    assertConflict(() -> leases.acquire(Leases.BACKGROUND, MINUTE), "holder=upkeep ");
    AtomicReference<Lease> acquired = new AtomicReference<>();
    Thread waiting = new Thread(() -> acquired.set(leases.acquire("gc", MINUTE)));
    waiting.start();
    Thread.sleep(50);
    assertThat(acquired).hasNullValue();
    background.close();
    waiting.join();
    acquired.get().close();
  }

  @Test
  void holderThatDiesBeforeItRaisesTheEpochIsFollowedByAHigherOne() {
    leases.acquire("gc", MINUTE);
    clock.pass(MINUTE);
    Leases dying =
        new Leases(
            store,
            new Metastore(
                new HookedStore(
                    store,
                    (operation, path) -> {
                      if (operation.equals("putIfMatch") && path.endsWith("/head")) {
                        throw new LoamException(ErrorCode.STORE_UNAVAILABLE, "died; start again");
                      }
                    }),
                "c1"),
            clock);
    assertThatThrownBy(() -> dying.acquire("gc", MINUTE)).hasMessageContaining("died");
    assertThat(head().leaseEpoch()).isZero();
    clock.pass(MINUTE);
    Lease next = leases.acquire("gc", MINUTE);
    assertThat(next.epoch()).isEqualTo(2);
    next.check(head());
  }

  @Test
  void ownWriteWhoseAnswerWasLostIsKnown() {
    HookedStore unsure = new HookedStore(store, (operation, path) -> {});
    unsure.loseNextAnswer();
    try (Lease lease = new Leases(unsure, metastore, clock).acquire("gc", MINUTE)) {
      lease.check(head());
      assertConflict(() -> leases.acquire("gc", MINUTE), "holder=gc ");
    }
    leases.acquire("gc", MINUTE).close();
  }
}
