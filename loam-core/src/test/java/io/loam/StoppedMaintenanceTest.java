package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.error.LoamException;
import io.loam.maintain.Garbage;
import io.loam.maintain.Lease;
import io.loam.maintain.Leases;
import io.loam.maintain.Part;
import io.loam.manifest.Metastore;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.store.HookedStore;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that are stopped by a signal before they swap the head, and go on long after. */
class StoppedMaintenanceTest {
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path folder;

  /** Does maintenance, or writes, but waits for a file before it swaps the head. */
  static final class Maintainer {
    private Maintainer() {}

    public static void main(String[] args) {
      Path root = Path.of(args[0]);
      Path reached = Path.of(args[1]);
      Path goOn = Path.of(args[2]);
      HookedStore store =
          new HookedStore(
              new LocalObjectStore(root),
              (operation, path) -> {
                if (operation.equals("putIfMatch") && path.endsWith("/head")) {
                  waitFor(reached, goOn);
                }
              });
      try (Warehouse warehouse =
          new LoamWarehouse(new WarehouseOptions(root, Path.of(args[3]), 0), store)) {
        System.out.println("done " + work(args[4], warehouse));
      } catch (LoamException e) {
        System.out.println(e.code() + " " + e.getMessage());
      }
    }

    private static long work(String kind, Warehouse warehouse) {
      return switch (kind) {
        case "gc" -> warehouse.collectGarbage(DOCS, AT_ONCE).size();
        case "optimize" -> warehouse.get(DOCS).optimize(Set.of(Part.values())).size();
        default -> write(warehouse.get(DOCS)).version();
      };
    }

    /** A batch that makes a fragment and a split, and takes rows away. */
    private static CommitResult write(Collection docs) {
      WriteBatch batch = WriteBatch.create().upsert(GarbageFixture.row(3, "again"));
      for (long id = 10_000; id < 11_200; id++) {
        batch.insert(GarbageFixture.row(id, "late"));
      }
      return docs.commit(batch);
    }

    private static void waitFor(Path reached, Path goOn) {
      try {
        Files.writeString(reached, "");
        while (!Files.exists(goOn)) {
          Thread.sleep(20);
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gc", "optimize"})
  void p4_maintenanceThatWasStoppedPastItsDeadlineDoesNothing(String work) throws Exception {
    Path root = folder.resolve("warehouse");
    Path reached = folder.resolve("reached");
    Path goOn = folder.resolve("goOn");
    Path output = folder.resolve("output");
    try (Warehouse warehouse = open(root)) {
      Collection docs = warehouse.create(DOCS, GarbageFixture.schema(0, 2));
      GarbageFixture.fill(docs);
      List<String> flags = List.of("-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED");
      List<String> arguments =
          List.of(
              root.toString(),
              reached.toString(),
              goOn.toString(),
              folder.resolve("childCache").toString(),
              work);
      Process child = ChildJvm.start(folder, output, flags, Maintainer.class, arguments);
      try {
        waitFor(child, output, reached);
        signal(child, "STOP");
        takeOver(root, docs);
        GarbageFixture.delete(docs, Set.of(5L));
        docs.createTag("kept", new VersionSpec.At(8));
        Set<String> objects = GarbageFixture.objects(root);
        List<String> answers = GarbageFixture.answers(docs, new VersionSpec.Latest());
        signal(child, "CONT");
        Files.writeString(goOn, "");
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(output)).contains("CONFLICT lease was taken over");
        if (work.equals("gc")) {
          assertThat(GarbageFixture.objects(root)).isEqualTo(objects);
        }
        assertThat(docs.manifests()).hasSize(9);
        assertThat(GarbageFixture.answers(docs, new VersionSpec.Latest())).isEqualTo(answers);
        GarbageFixture.checkWhole(root, docs);
        assertThat(warehouse.collectGarbage(DOCS, AT_ONCE)).isNotEmpty();
        GarbageFixture.checkWhole(root, docs);
      } finally {
        child.destroyForcibly();
      }
    }
  }

  @Test
  void p4_writerThatWasStoppedThroughACollectionStartsAgain() throws Exception {
    Path root = folder.resolve("warehouse");
    Path reached = folder.resolve("reached");
    Path goOn = folder.resolve("goOn");
    Path output = folder.resolve("output");
    try (Warehouse warehouse = open(root)) {
      Collection docs = warehouse.create(DOCS, GarbageFixture.schema(0, 1));
      GarbageFixture.fill(docs);
      List<String> flags = List.of("-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED");
      List<String> arguments =
          List.of(
              root.toString(),
              reached.toString(),
              goOn.toString(),
              folder.resolve("childCache").toString(),
              "write");
      Process child = ChildJvm.start(folder, output, flags, Maintainer.class, arguments);
      try {
        waitFor(child, output, reached);
        signal(child, "STOP");
        Set<String> before = GarbageFixture.objects(root);
        List<Garbage> removed = warehouse.collectGarbage(DOCS, AT_ONCE);
        assertThat(removed).extracting(Garbage::reason).contains("named by no version");
        assertThat(removed).extracting(Garbage::path).anyMatch(path -> path.endsWith(".split"));
        signal(child, "CONT");
        Files.writeString(goOn, "");
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(output)).contains("done 9");
        GarbageFixture.checkWhole(root, docs);
        assertThat(GarbageFixture.objects(root))
            .doesNotContainAnyElementsOf(GarbageFixture.paths(removed))
            .filteredOn(path -> path.endsWith(".split"))
            .anyMatch(path -> !before.contains(path));
        try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
          assertThat(snapshot.liveDocuments()).isEqualTo(1_001 * 2 + 20 + 1 - 4 + 1_200);
          assertThat(GarbageFixture.answers(snapshot)).anyMatch(row -> row.startsWith("3|again"));
        }
        assertThat(docs.verify(new VersionSpec.Latest()).findings()).isEmpty();
      } finally {
        child.destroyForcibly();
      }
    }
  }

  private Warehouse open(Path root) {
    return Warehouse.open(new WarehouseOptions(root, folder.resolve("cache"), 0));
  }

  private static void waitFor(Process child, Path output, Path reached) throws Exception {
    for (int i = 0; i < 3_000 && !Files.exists(reached); i++) {
      assertThat(child.isAlive()).as(Files.readString(output)).isTrue();
      Thread.sleep(20);
    }
    assertThat(reached).exists();
  }

  private static void signal(Process child, String signal) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(child.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Takes the lease and gives it back, a day later by the clock. */
  private static void takeOver(Path root, Collection docs) {
    String id = docs.manifests().get(0).schemaPath().replaceFirst("collections/([^/]+)/.*", "$1");
    try (ObjectStore store = new LocalObjectStore(root)) {
      Clock tomorrow = Clock.offset(Clock.systemUTC(), DAY);
      try (Lease lease =
          new Leases(store, new Metastore(store, id), tomorrow).acquire("test", DAY)) {
        assertThat(lease.epoch()).isEqualTo(1);
      }
    }
  }
}
