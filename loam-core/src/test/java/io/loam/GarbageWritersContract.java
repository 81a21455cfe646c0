package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.query.Snapshot;
import io.loam.store.HookedStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** P4: what is written beside garbage collection is whole, however long a writer slept. */
abstract class GarbageWritersContract extends GarbageCase {

  /** As if the store's clock jumped ahead while a writer comes up to its swap. */
  @Test
  void p4_writerWhoseFilesSeemOldStartsAgain() throws IOException {
    Collection docs = filled(0, 1);
    AtomicInteger swaps = new AtomicInteger();
    Set<String> removed = new TreeSet<>();
    hook =
        (operation, path) -> {
          boolean swap = operation.equals("putIfMatch") && path.endsWith("/head");
          if (swap && swaps.incrementAndGet() == 1) {
            try (Warehouse other = Warehouse.open(options("c2"))) {
              setAges(Duration.ofHours(30));
              removed.addAll(GarbageFixture.paths(collect(other, GcOptions.defaults())));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        };
    GarbageFixture.insert(docs, 10_000, 11_200);
    hook = (operation, path) -> {};
    assertThat(removed).anyMatch(path -> path.endsWith(".split"));
    assertThat(swaps).hasValueGreaterThan(1);
    GarbageFixture.checkWhole(root, docs);
    assertThat(GarbageFixture.answers(docs, LATEST)).hasSizeGreaterThan(2_019 + 1_200);
  }

  @Test
  void p4_writerThatSleptThroughACollectionStartsAgain() throws Exception {
    Collection docs = filled(0, 1);
    CountDownLatch atSwap = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    hook =
        (operation, path) -> {
          if (path.contains("/pins/")) {
            // On a slow machine a pin would keep what this writer has written.
            throw new LoamException(ErrorCode.STORE_UNAVAILABLE, "no pins; try again");
          }
          waitBeforeSwap(operation, path, atSwap, goOn);
        };
    CompletableFuture<CommitResult> sleeper =
        CompletableFuture.supplyAsync(
            () -> {
              WriteBatch batch = WriteBatch.create().upsert(GarbageFixture.row(3, "again"));
              for (long id = 10_000; id < 11_200; id++) {
                batch.insert(GarbageFixture.row(id, "late"));
              }
              return docs.commit(batch);
            });
    await(atSwap);
    List<Garbage> removed;
    try (Warehouse other = Warehouse.open(options("c2"))) {
      GarbageFixture.insert(other.get(DOCS), 20_000, 20_003);
      removed = collect(other, AT_ONCE);
    }
    assertThat(removed).extracting(Garbage::reason).contains("named by no version");
    assertThat(removed).extracting(Garbage::path).anyMatch(path -> path.endsWith(".split"));
    goOn.countDown();
    assertThat(sleeper.get(60, TimeUnit.SECONDS)).isEqualTo(new CommitResult(10, 1_200, 1, 0));
    GarbageFixture.checkWhole(root, docs);
    try (Snapshot snapshot = docs.snapshot(LATEST)) {
      assertThat(snapshot.liveDocuments()).isEqualTo(1_001 * 2 + 20 + 1 - 4 + 1_200 + 3);
      assertThat(GarbageFixture.answers(snapshot)).anyMatch(row -> row.startsWith("3|again"));
    }
  }

  @Test
  void p4_writerThatBeganDuringACollectionKeepsItsObjects() throws Exception {
    Collection docs = filled(0, 1);
    CountDownLatch atSwap = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    hook = (operation, path) -> waitBeforeSwap(operation, path, atSwap, goOn);
    AtomicInteger swaps = new AtomicInteger();
    CompletableFuture<Void> writer = new CompletableFuture<>();
    HookedStore collecting =
        new HookedStore(
            place.location().open(),
            (operation, path) -> {
              // At the first thing after its swap, a writer begins and comes up to its own swap.
              if (swaps.get() == 1 && swaps.incrementAndGet() == 2) {
                writer.completeAsync(
                    () -> {
                      GarbageFixture.insert(docs, 10_000, 11_200);
                      return null;
                    });
                await(atSwap);
              } else if (operation.equals("putIfMatch") && path.endsWith("/head")) {
                swaps.compareAndSet(0, 1);
              }
            });
    try (Warehouse other = new LoamWarehouse(options("c2"), collecting)) {
      assertThat(collect(other, AT_ONCE)).isNotEmpty();
    }
    goOn.countDown();
    writer.get(60, TimeUnit.SECONDS);
    GarbageFixture.checkWhole(root, docs);
    assertThat(GarbageFixture.answers(docs, LATEST)).hasSizeGreaterThan(2_019 + 1_200);
  }

  /** A table that goes while a writer comes up to its swap. */
  @Test
  void writerWhoseTableIsDroppedIsToldSo() {
    Collection docs = filled(0, 1);
    AtomicInteger swaps = new AtomicInteger();
    hook =
        (operation, path) -> {
          boolean swap = operation.equals("putIfMatch") && path.endsWith("/head");
          if (swap && swaps.incrementAndGet() == 1) {
            try (Warehouse other = Warehouse.open(options("c2"))) {
              other.drop(DOCS);
              assertThat(collect(other, AT_ONCE)).isNotEmpty();
            }
          }
        };
    assertThat(failure(() -> GarbageFixture.insert(docs, 10_000, 10_001)))
        .hasMessageContaining("table was dropped while the statement ran")
        .extracting(LoamException::code)
        .isEqualTo(ErrorCode.UNKNOWN_COLLECTION);
  }

  /** A process that dies while it makes a table, at each of its writes. */
  @Test
  void tablesThatWereNeverFinishedGo() throws IOException {
    int dead = 0;
    while (warehouse.find(DOCS).isEmpty()) {
      AtomicInteger left = new AtomicInteger(dead + 1);
      hook =
          (operation, path) -> {
            if (operation.matches("put.*|stage|force") && left.decrementAndGet() <= 0) {
              throw new LoamException(ErrorCode.STORE_UNAVAILABLE, "killed; start again");
            }
          };
      try {
        warehouse.create(DOCS, GarbageFixture.schema(0, 1));
      } catch (LoamException e) {
        dead++;
      }
      hook = (operation, path) -> {};
      warehouse.close();
      warehouse = reopened();
    }
    assertThat(dead).isGreaterThan(5);
    Collection docs = warehouse.get(DOCS);
    String own = docs.manifests().get(0).schemaPath().replaceFirst("schemas/.*", "");
    GarbageFixture.insert(docs, 0, 3);
    assertThat(GarbageFixture.objects(root)).anyMatch(object -> !object.startsWith(own));

    assertThat(collect(warehouse, GcOptions.defaults())).isEmpty();
    List<Garbage> dry = collect(warehouse, AT_ONCE.asDryRun());
    assertThat(dry).extracting(Garbage::reason).contains("table was never finished");
    assertThat(collect(warehouse, AT_ONCE)).isEqualTo(dry);
    assertThat(GarbageFixture.objects(root)).allMatch(object -> object.startsWith(own));
    assertThat(collect(warehouse, AT_ONCE.asDryRun())).isEmpty();
    GarbageFixture.checkWhole(root, docs);
  }

  /** The collection may die when it has removed the head. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void p4_tableWhoseMakerSleptThroughACollectionIsMadeAgain(boolean killed) throws IOException {
    AtomicInteger finishing = new AtomicInteger();
    hook =
        (operation, path) -> {
          boolean named = operation.startsWith("put") && path.endsWith("/docs.json");
          if (named && finishing.incrementAndGet() == 2) {
            collectUnfinished(killed);
          }
        };
    Collection docs = warehouse.create(DOCS, GarbageFixture.schema(0, 1));
    hook = (operation, path) -> {};
    assertThat(finishing.get()).isGreaterThan(2);
    GarbageFixture.insert(docs, 0, 3);
    assertThat(GarbageFixture.answers(docs, LATEST)).isNotEmpty();
    GarbageFixture.checkWhole(root, docs);
    String own = docs.manifests().get(0).schemaPath().replaceFirst("schemas/.*", "");
    assertThat(GarbageFixture.objects(root)).allMatch(object -> object.startsWith(own));
  }

  private void collectUnfinished(boolean killed) {
    HookedStore store =
        new HookedStore(
            place.location().open(),
            (operation, path) -> {
              if (killed && operation.equals("delete") && path.contains("/schemas/")) {
                throw new LoamException(ErrorCode.STORE_UNAVAILABLE, "killed; start again");
              }
            });
    try (Warehouse other = new LoamWarehouse(options("c2"), store)) {
      if (killed) {
        failure(() -> collect(other, AT_ONCE));
      } else {
        assertThat(collect(other, AT_ONCE))
            .extracting(Garbage::reason)
            .containsOnly("table was never finished");
      }
    }
  }

  @Test
  void ofTwoMakersOfOneTableOneIsTold() throws IOException {
    AtomicInteger begun = new AtomicInteger();
    hook =
        (operation, path) -> {
          if (operation.startsWith("put") && path.contains("/schemas/")) {
            begun.incrementAndGet();
            try (Warehouse other = Warehouse.open(options("c2"))) {
              other.create(DOCS, GarbageFixture.schema(0, 2));
            }
          }
        };
    LoamException e = failure(() -> warehouse.create(DOCS, GarbageFixture.schema(0, 1)));
    hook = (operation, path) -> {};
    assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_COLLECTION);
    assertThat(begun).hasValue(1);
    String own = warehouse.get(DOCS).manifests().get(0).schemaPath().replaceFirst("schemas/.*", "");
    assertThat(GarbageFixture.objects(root)).allMatch(object -> object.startsWith(own));
    assertThat(collect(warehouse, AT_ONCE.asDryRun())).isEmpty();
  }

  @Test
  void tableThatExistsLeavesNothingOfTheSecond() throws IOException {
    filled(0, 1);
    Set<String> before = GarbageFixture.objects(root);
    LoamException e = failure(() -> warehouse.create(DOCS, GarbageFixture.schema(0, 1)));
    assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_COLLECTION);
    assertThat(GarbageFixture.objects(root)).isEqualTo(before);
  }
}
