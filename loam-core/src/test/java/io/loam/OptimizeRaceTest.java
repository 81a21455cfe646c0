package io.loam;

import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Part;
import io.loam.maintain.Step;
import io.loam.query.OutputColumn;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.store.HookedStore;
import io.loam.store.LocalObjectStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Maintenance beside writers, and maintenance that is cut off anywhere. */
class OptimizeRaceTest {
  private static final Set<Part> ALL = Set.of(Part.values());

  @TempDir Path folder;
  private Path root;
  private Warehouse writers;
  private Collection docs;
  private final Map<Long, String> model = new TreeMap<>();

  @BeforeEach
  void fill() {
    root = folder.resolve("warehouse");
    writers = Warehouse.open(new WarehouseOptions(root, folder.resolve("cache"), 0));
    docs = writers.create(DOCS, GarbageFixture.schema(1_000, 1_000));
    for (int i = 0; i < 4; i++) {
      upsert(i * 2_000L, i * 2_000L + 1_001, "first");
    }
    for (int i = 0; i < 3; i++) {
      upsert(8_000 + 20 * i, 8_010 + 20 * i, "tail");
    }
    delete(2_000, 2_005);
    delete(8_001, 8_003);
  }

  @AfterEach
  void close() {
    writers.close();
  }

  private void upsert(long from, long to, String word) {
    WriteBatch batch = WriteBatch.create();
    for (long id = from; id < to; id++) {
      batch.upsert(GarbageFixture.row(id, word));
      model.put(id, word);
    }
    docs.commit(batch);
  }

  private void delete(long from, long to) {
    List<Long> ids = new ArrayList<>();
    for (long id = from; id < to; id++) {
      ids.add(id);
      model.remove(id);
    }
    GarbageFixture.delete(docs, Set.copyOf(ids));
  }

  private void checkModel(Collection collection) throws Exception {
    try (Snapshot snapshot = collection.snapshot(new VersionSpec.Latest())) {
      assertThat(snapshot.liveDocuments()).isEqualTo(model.size());
      Map<Long, String> found = new TreeMap<>();
      List<OutputColumn> output =
          List.of(
              OutputColumn.field(1),
              OutputColumn.field(2),
              OutputColumn.field(3),
              OutputColumn.field(4));
      for (Object[] row : Reads.rows(snapshot, SearchRequest.scan(output))) {
        long id = (Long) row[0];
        String word = String.valueOf(row[1]).replaceFirst(" .*", "");
        assertThat(found.put(id, word)).isNull();
        Object[] expected = GarbageFixture.row(id, word);
        assertThat(row).isEqualTo(expected);
      }
      assertThat(found).isEqualTo(model);
    }
    assertThat(collection.verify(new VersionSpec.Latest()).findings()).isEmpty();
    GarbageFixture.checkWhole(root, collection);
  }

  private LoamWarehouse hooked(HookedStore.Hook hook) {
    return new LoamWarehouse(
        new WarehouseOptions(root, folder.resolve("cache2"), 0),
        new HookedStore(new LocalObjectStore(root), hook));
  }

  /** What a writer does between a step's work and its swap. */
  enum Meanwhile {
    DELETE,
    UPDATE,
    INSERT,
    DELETE_IN_TAIL,
    DELETE_ALL,
    FOLD,
    NEW_SPLIT
  }

  private void write(Meanwhile meanwhile, int turn) {
    switch (meanwhile) {
      case DELETE -> delete(turn * 10L + 20, turn * 10L + 25);
      case UPDATE -> upsert(turn * 10L + 4_000, turn * 10L + 4_005, "again" + turn);
      case INSERT -> upsert(90_000 + turn, 90_001 + turn, "new");
      case DELETE_IN_TAIL -> {
        if (turn < 3) {
          delete(8_000 + 20L * turn, 8_010 + 20L * turn - turn);
        }
      }
      case DELETE_ALL -> {
        if (turn == 0) {
          delete(0, 9_000);
        }
      }
      case FOLD -> {
        for (int i = 0; turn == 0 && i < 65; i++) {
          upsert(20_000 + i, 20_001 + i, "folded");
        }
      }
      case NEW_SPLIT -> upsert(100_000L + 2_000L * turn, 101_001L + 2_000L * turn, "new");
    }
  }

  @ParameterizedTest
  @EnumSource(Meanwhile.class)
  void whatLandsBeforeTheSwapIsInTheResult(Meanwhile meanwhile) throws Exception {
    AtomicInteger swaps = new AtomicInteger();
    AtomicBoolean writing = new AtomicBoolean(true);
    HookedStore.Hook hook =
        (operation, path) -> {
          if (operation.equals("putIfMatch") && path.endsWith("/head")) {
            int swap = swaps.getAndIncrement();
            if (swap % 2 == 0 && writing.get()) { // so each step loses its first swap
              write(meanwhile, swap / 2);
            }
          }
        };
    try (LoamWarehouse maintained = hooked(hook)) {
      Collection collection = maintained.get(DOCS);
      List<Step> steps = collection.optimize(ALL);
      writing.set(false);
      checkModel(collection);
      checkModel(docs);
      assertThat(steps).isNotEmpty();
      if (meanwhile != Meanwhile.DELETE_ALL) {
        assertThat(swaps).hasValueGreaterThan(meanwhile == Meanwhile.FOLD ? 2 : 4);
        assertThat(steps).anyMatch(step -> step.detail().startsWith("splits: "));
      }
      collection.optimize(ALL);
      assertThat(collection.optimize(ALL)).isEmpty();
      checkModel(docs);
    }
  }

  /** Fails at the n-th operation of a kind, for every n, until a run meets no more of them. */
  private void failEverywhere(Predicate<String> operations, ErrorCode code) throws Exception {
    int n = 0;
    for (boolean failed = true; failed; n++) {
      failed = false;
      AtomicInteger count = new AtomicInteger(n);
      HookedStore.Hook hook =
          (operation, path) -> {
            // The lease's renewals and its return are left alone, or every run would wait for it.
            if (operations.test(operation)
                && !path.endsWith("/lease")
                && count.getAndDecrement() == 0) {
              throw new LoamException(code, "cut off at " + operation + " " + path + "; try again");
            }
          };
      try (LoamWarehouse maintained = hooked(hook)) {
        maintained.get(DOCS).optimize(ALL);
      } catch (LoamException e) {
        assertThat(e).hasMessageContaining("cut off");
        failed = true;
      }
      checkModel(docs);
      upsert(n % 8_000L, n % 8_000L + 3, "n" + n);
    }
    assertThat(n).isGreaterThan(3);
    checkModel(docs);
  }

  @Test
  void p2_runThatIsCutOffAtAnyWriteLeavesAllAsItWas() throws Exception {
    failEverywhere(
        Set.of("putIfAbsent", "putFileIfAbsent", "putIfMatch", "stage", "force")::contains,
        ErrorCode.STORE_UNAVAILABLE);
  }

  @Test
  void p3_lostAnswersDoNotLoseSteps() throws Exception {
    int n = 0;
    for (boolean lost = true; lost && n < 40; n++) {
      AtomicInteger count = new AtomicInteger(n);
      HookedStore[] store = new HookedStore[1];
      AtomicBoolean done = new AtomicBoolean();
      store[0] =
          new HookedStore(
              new LocalObjectStore(root),
              (operation, path) -> {
                if (operation.equals("putIfMatch") && count.getAndDecrement() == 0) {
                  store[0].loseNextAnswer();
                  done.set(true);
                }
              });
      try (LoamWarehouse maintained =
          new LoamWarehouse(new WarehouseOptions(root, folder.resolve("cache2"), 0), store[0])) {
        maintained.get(DOCS).optimize(ALL);
      }
      lost = done.get();
      checkModel(docs);
      upsert(50_000 + 1_100L * n, 50_000 + 1_100L * n + 1_001, "n" + n);
    }
    assertThat(n).isBetween(4, 39);
  }
}
