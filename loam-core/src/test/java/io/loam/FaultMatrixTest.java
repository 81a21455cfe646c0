package io.loam;

import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.VersionSpec;
import io.loam.store.FaultStore;
import io.loam.store.FaultStore.Fault;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import io.loam.store.TornDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * P1 to P3 where the store fails: each kind of operation on each kind of object goes wrong once, in
 * each way. A statement that succeeds has its effect, one that fails has none, and one whose
 * outcome is unknown has it wholly or not at all.
 */
class FaultMatrixTest {
  @TempDir Path folder;
  private Path root;
  private int caches;

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectory(folder.resolve("warehouse")).toRealPath();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void p3_everyOperationFailsOnce(Fault fault) {
    check(fault, 1);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  @Tag("long")
  void p3_laterOperationsFail(Fault fault) {
    for (int occurrence = 2; occurrence <= 6; occurrence++) {
      root = folder.resolve("warehouse" + occurrence);
      check(fault, occurrence);
    }
  }

  private void check(Fault fault, int occurrence) {
    FaultStore store = new FaultStore(new LocalObjectStore(root), fault, occurrence);
    Set<String> reported = run(store, store::failed, store::doLate);
    if (fault != Fault.ERROR_BEFORE) {
      // What can be learned, or done again, is not reported as unknown.
      assertThat(reported).noneMatch(f -> f.matches("stage .*|swap .*/(head|ids)"));
    }
    assertThat(store.failed())
        .contains("swap collections/*/head", "get collections/*/head")
        .hasSizeGreaterThan(occurrence == 1 ? 25 : 5);
  }

  @Test
  void p3_everySyncFailsOnce() {
    TornDisk disk = new TornDisk(1);
    run(disk.over(root), disk::failed, () -> {});
    assertThat(disk.failed()).contains(".loam/tmp/*", "collections/*").hasSizeGreaterThan(15);
  }

  /**
   * Runs the script; a statement without effect is run again.
   *
   * @return for each statement that failed, the failure before its end
   */
  private Set<String> run(ObjectStore store, Supplier<List<String>> failed, Runnable settle) {
    Set<String> reported = new TreeSet<>();
    CrashScript script = CrashScript.short_();
    WarehouseOptions options = new WarehouseOptions(root, folder.resolve("cache"), 0);
    try (Warehouse warehouse = new LoamWarehouse(options, store)) {
      for (int number = 0; number < CrashScript.SHORT_STATEMENTS; ) {
        int before = failed.get().size();
        Optional<ErrorCode> error = attempt(script, number, warehouse);
        List<String> now = failed.get();
        if (error.isPresent() && now.size() > before) {
          reported.add(now.get(now.size() - 1));
        }
        settle.run();
        if (hasEffect(script, number, error)) {
          number++;
        }
      }
    }
    checkTable(script.model(CrashScript.SHORT_STATEMENTS));
    return reported;
  }

  private static Optional<ErrorCode> attempt(CrashScript script, int number, Warehouse warehouse) {
    try {
      script.run(number, script.model(number), warehouse);
      return Optional.empty();
    } catch (LoamException e) {
      return Optional.of(e.code());
    }
  }

  /** Looks for a statement's effect in the table, as another process sees it. */
  private boolean hasEffect(CrashScript script, int number, Optional<ErrorCode> error) {
    Map<Long, String> before = script.model(number);
    Map<Long, String> after = script.model(number + 1);
    try (Warehouse other = open()) {
      Optional<Collection> docs = other.find(DOCS);
      String moment = "statement " + number + ", error " + error;
      if (number == 0 && docs.isEmpty()) {
        assertThat(error).as(moment).isPresent();
        return false;
      }
      Map<Long, String> rows = CrashScript.rows(docs.orElseThrow());
      if (error.isEmpty()) {
        assertThat(rows).as(moment).isEqualTo(after);
        return true;
      }
      CrashGateTest.releaseLease(root, docs.get());
      boolean unknown =
          error.get() == ErrorCode.OUTCOME_UNKNOWN || error.get() == ErrorCode.COMMIT_UNKNOWN;
      if (unknown) {
        assertThat(rows).as(moment).isIn(before, after);
        return number == 0 || (rows.equals(after) && !before.equals(after));
      }
      assertThat(error.get()).as(moment).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThat(number).as("table is there: %s", moment).isPositive();
      assertThat(rows).as(moment).isEqualTo(before);
      return false;
    }
  }

  private Warehouse open() {
    return Warehouse.open(new WarehouseOptions(root, folder.resolve("cache" + caches++ % 3), 0));
  }

  private void checkTable(Map<Long, String> model) {
    try (Warehouse other = open()) {
      Collection docs = other.get(DOCS);
      assertThat(docs.verify(new VersionSpec.Latest()).findings()).isEmpty();
      assertThat(CrashScript.rows(docs)).isEqualTo(model);
    }
  }
}
