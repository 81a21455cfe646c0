package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.CommitResult;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Part;
import io.loam.maintain.Upkeep;
import io.loam.manifest.Manifest;
import io.loam.query.VersionSpec;
import io.loam.store.HookedStore;
import io.loam.store.LocalObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Upkeep that nobody asked for. */
class BackgroundUpkeepTest {
  private static final CommitResult ONE_ROW = new CommitResult(2, 1, 0, 0);

  @TempDir Path folder;

  private static void commits(BackgroundUpkeep.Subject subject, int count) {
    for (int i = 0; i < count; i++) {
      subject.committed(ONE_ROW);
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 3_000 && !condition.getAsBoolean(); i++) {
      Thread.sleep(20);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void commitsOrRowsPastTheThresholdWakeIt() throws Exception {
    Semaphore runs = new Semaphore(0);
    try (BackgroundUpkeep upkeep = BackgroundUpkeep.on()) {
      BackgroundUpkeep.Subject subject = upkeep.subject(checkpoint -> runs.release());
      commits(subject, BackgroundUpkeep.COMMITS - 1);
      subject.committed(new CommitResult(2, 100, 0, 0));
      runs.acquire();
      subject.committed(new CommitResult(2, 1_000, 2_000, 1_999));
      Thread.sleep(50);
      assertThat(runs.availablePermits()).isZero();
      subject.committed(ONE_ROW);
      runs.acquire();
    }
  }

  @Test
  void whatWorkNeedsStaysUntilItEnds() throws Exception {
    Semaphore begun = new Semaphore(0);
    Semaphore goOn = new Semaphore(0);
    Semaphore gone = new Semaphore(0);
    BackgroundUpkeep upkeep = BackgroundUpkeep.on(Duration.ofMillis(20));
    BackgroundUpkeep.Subject subject =
        upkeep.subject(
            checkpoint -> {
              begun.release();
              goOn.acquireUninterruptibly(); // as in a native call
              assertThat(gone.availablePermits()).isZero();
              checkpoint.run();
            });
    commits(subject, BackgroundUpkeep.COMMITS);
    begun.acquire();
    upkeep.closeThen(gone::release);
    assertThat(gone.availablePermits()).isZero();
    goOn.release();
    gone.acquire();
    assertThat(subject.failure()).isEmpty();
    upkeep.closeThen(gone::release);
    gone.acquire();
  }

  @Test
  void nothingRunsWhereItIsOff() throws Exception {
    AtomicBoolean ran = new AtomicBoolean();
    try (BackgroundUpkeep upkeep = BackgroundUpkeep.off()) {
      commits(upkeep.subject(checkpoint -> ran.set(true)), 10 * BackgroundUpkeep.COMMITS);
      Thread.sleep(50);
    }
    assertThat(ran).isFalse();
  }

  @Test
  void failuresAreToldUntilItGoesWell() throws Exception {
    AtomicReference<RuntimeException> next = new AtomicReference<>();
    Semaphore runs = new Semaphore(0);
    try (BackgroundUpkeep upkeep = BackgroundUpkeep.on()) {
      BackgroundUpkeep.Subject subject =
          upkeep.subject(
              checkpoint -> {
                runs.release();
                if (next.get() != null) {
                  throw next.get();
                }
              });
      next.set(new LoamException(ErrorCode.STORE_UNAVAILABLE, "disk is full; make room"));
      commits(subject, BackgroundUpkeep.COMMITS);
      await(() -> subject.failure().isPresent());
      assertThat(subject.failure())
          .map(Upkeep.Failure::message)
          .contains("disk is full; make room");
      next.set(new LoamException(ErrorCode.CONFLICT, "others are at it; wait"));
      commits(subject, BackgroundUpkeep.COMMITS);
      runs.acquire(2);
      assertThat(subject.failure()).isPresent();
      next.set(new IllegalStateException("a fault"));
      commits(subject, BackgroundUpkeep.COMMITS);
      await(
          () ->
              subject
                  .failure()
                  .filter(f -> f.message().equals("java.lang.IllegalStateException: a fault"))
                  .isPresent());
      next.set(null);
      commits(subject, BackgroundUpkeep.COMMITS);
      await(() -> subject.failure().isEmpty());
    }
  }

  @Test
  void closingEndsWorkAtItsNextCheckpoint() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    AtomicReference<LoamException> ended = new AtomicReference<>();
    BackgroundUpkeep upkeep = BackgroundUpkeep.on();
    BackgroundUpkeep.Subject subject =
        upkeep.subject(
            checkpoint -> {
              started.countDown();
              try {
                while (true) {
                  checkpoint.run();
                  Thread.onSpinWait();
                }
              } catch (LoamException e) {
                ended.set(e);
                throw e;
              }
            });
    commits(subject, BackgroundUpkeep.COMMITS);
    started.await();
    upkeep.close();
    assertThat(ended.get().code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(subject.failure()).isEmpty();
    commits(subject, BackgroundUpkeep.COMMITS);
    upkeep.close();
  }

  @Test
  void workThatSomebodyAskedForGoesFirst() throws Exception {
    MaintenanceTurns turns = new MaintenanceTurns();
    CountDownLatch started = new CountDownLatch(1);
    AtomicReference<Throwable> ended = new AtomicReference<>();
    Thread background =
        new Thread(
            () -> {
              try {
                turns.runUnlessWanted(
                    checkpoint -> {
                      started.countDown();
                      while (true) {
                        checkpoint.run();
                        Thread.onSpinWait();
                      }
                    });
              } catch (LoamException e) {
                ended.set(e);
              }
            });
    background.start();
    started.await();
    assertThat(turns.run(() -> "done")).isEqualTo("done");
    background.join();
    assertThat(ended.get()).hasMessageContaining("goes first");
    assertThat(turns.<Boolean>run(() -> turnedAway(turns))).isTrue();
  }

  /** Whether work in the background leaves at once while other work is done. */
  private static boolean turnedAway(MaintenanceTurns turns) {
    AtomicBoolean ran = new AtomicBoolean();
    Thread other = new Thread(() -> turns.runUnlessWanted(checkpoint -> ran.set(true)));
    other.start();
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return !ran.get();
  }

  private WarehouseOptions options() {
    return new WarehouseOptions(folder.resolve("warehouse"), folder.resolve("cache"), 0)
        .withAutoOptimize();
  }

  @Test
  void smallCommitsAreFoldedAndMergedWhileTheyGoOn() throws Exception {
    try (Warehouse warehouse = Warehouse.open(options())) {
      Collection docs = warehouse.create(GarbageFixture.DOCS, GarbageFixture.schema(1_000, 1_000));
      int next = 0;
      for (int i = 0; i < 8; i++) {
        long first = 10_000L * (i + 1);
        GarbageFixture.insert(docs, first, first + 1_001);
      }
      for (; next < 40; next++) {
        GarbageFixture.insert(docs, next, next + 1);
      }
      await(() -> docs.upkeep().done().stream().anyMatch(d -> d.step().part() == Part.TAIL));
      await(() -> docs.manifest(new VersionSpec.Latest()).splits().size() < 4);
      Manifest head = docs.manifest(new VersionSpec.Latest());
      assertThat(head.liveDocuments()).isEqualTo(8 * 1_001 + 40);
      assertThat(docs.upkeep().failure()).isEmpty();
      docs.optimize(Set.of(Part.values()));
      assertThat(docs.optimize(Set.of(Part.values()))).isEmpty();
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("loam-upkeep", "loam-lease");
  }

  @Test
  void failuresDoNotReachWriters() throws Exception {
    AtomicBoolean failing = new AtomicBoolean(true);
    HookedStore store =
        new HookedStore(
            new LocalObjectStore(folder.resolve("warehouse")),
            (operation, path) -> {
              if (failing.get() && Thread.currentThread().getName().equals("loam-upkeep")) {
                throw new LoamException(ErrorCode.STORE_UNAVAILABLE, "no store today; wait");
              }
            });
    try (LoamWarehouse warehouse = new LoamWarehouse(options(), store)) {
      Collection docs = warehouse.create(GarbageFixture.DOCS, GarbageFixture.schema(1_000, 1_000));
      for (int i = 0; i < 33; i++) {
        GarbageFixture.insert(docs, i, i + 1);
      }
      await(() -> docs.upkeep().failure().isPresent());
      assertThat(docs.upkeep().failure().get().message()).isEqualTo("no store today; wait");
      assertThat(docs.manifests()).hasSize(34);
      failing.set(false);
      for (int i = 33; i < 66; i++) {
        GarbageFixture.insert(docs, i, i + 1);
      }
      await(() -> docs.upkeep().failure().isEmpty());
      assertThat(docs.manifest(new VersionSpec.Latest()).liveDocuments()).isEqualTo(66);
    }
  }
}
