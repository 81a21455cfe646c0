package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Part;
import io.loam.manifest.Manifest;
import io.loam.query.OutputColumn;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.store.StoreLocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writers in two processes, readers at old versions, maintenance and a collector without grace, all
 * at once. Every acknowledged write is there in the end, and a reader sees its version or the one
 * error.
 */
abstract class GarbageRaceContract {
  @TempDir Path folder;

  abstract StoreLocation location();

  /** The location as a child's argument. */
  abstract String argument();

  /** Where objects are as files. */
  abstract Path files();

  /** Writes keys of its own at random, and knows what they must be. */
  private static final class Writer implements Callable<Map<Long, String>> {
    private final Collection docs;
    private final long firstId;
    private final long endNanos;
    private final Random random;
    private final Map<Long, String> model = new TreeMap<>();
    private int commits;

    Writer(Collection docs, long firstId, int millis) {
      this.docs = docs;
      this.firstId = firstId;
      this.endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      this.random = new Random(firstId);
    }

    @Override
    public Map<Long, String> call() {
      while (System.nanoTime() < endNanos) {
        try {
          if (random.nextInt(4) == 0) {
            deleteSome();
          } else {
            upsertSome();
          }
          commits++;
        } catch (LoamException e) {
          // The version that rows to delete were read from was collected: read again.
          boolean stale = e.code() == ErrorCode.CONFLICT || e.code() == ErrorCode.UNKNOWN_VERSION;
          if (!stale) {
            throw e;
          }
        }
      }
      assertThat(commits).isPositive();
      return model;
    }

    private void upsertSome() {
      WriteBatch batch = WriteBatch.create();
      Map<Long, String> next = new TreeMap<>();
      int rows = commits % 12 == 5 ? 1_010 : 1 + random.nextInt(8);
      for (int i = 0; i < rows; i++) {
        long id = firstId + random.nextInt(rows > 1_000 ? 100_000 : 40);
        next.put(id, "c" + commits);
      }
      next.forEach((id, word) -> batch.upsert(GarbageFixture.row(id, word)));
      docs.commit(batch);
      model.putAll(next);
    }

    private void deleteSome() {
      try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
        WriteBatch batch = WriteBatch.basedOn(snapshot.version());
        List<Long> gone = new ArrayList<>();
        List<OutputColumn> output =
            List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.ROW_ID));
        for (Object[] row : Reads.rows(snapshot, SearchRequest.scan(output))) {
          long id = (Long) row[0];
          if (id >= firstId && id < firstId + 100_000 && random.nextInt(3) == 0) {
            batch.delete((Long) row[1]);
            gone.add(id);
          }
        }
        if (!gone.isEmpty()) {
          docs.commit(batch);
          model.keySet().removeAll(gone);
        }
      }
    }
  }

  /** A writer in a process of its own; prints its model. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      try (Warehouse warehouse =
          Warehouse.open(new WarehouseOptions(S3Locations.parse(args[0]), Path.of(args[1]), 0))) {
        int millis = Integer.parseInt(args[2]);
        new Writer(warehouse.get(DOCS), 9_000_000, millis)
            .call()
            .forEach((id, word) -> System.out.println("model " + id + " " + word));
      }
    }
  }

  @Test
  void p4p5p9_nothingIsLostAndNothingDangles() throws Exception {
    race(5_000);
  }

  @Test
  @Tag("long")
  void p4p5p9_nothingIsLostAndNothingDanglesForLong() throws Exception {
    race(600_000);
  }

  private void race(int millis) throws Exception {
    WarehouseOptions options = new WarehouseOptions(location(), folder.resolve("cache"), 0);
    Path output = folder.resolve("output");
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Warehouse first = Warehouse.open(options);
        Warehouse second = Warehouse.open(options)) {
      first.create(DOCS, GarbageFixture.schema(0, 2));
      Process child =
          ChildJvm.start(
              folder,
              output,
              List.of("-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED"),
              Child.class,
              List.of(argument(), folder.resolve("c2").toString(), String.valueOf(millis)));
      try {
        List<Future<Map<Long, String>>> writers =
            List.of(
                threads.submit(new Writer(first.get(DOCS), 1_000_000, millis)),
                threads.submit(new Writer(second.get(DOCS), 2_000_000, millis)));
        List<Future<Integer>> others =
            List.of(
                threads.submit(() -> read(first.get(DOCS), child)),
                threads.submit(() -> read(second.get(DOCS), child)),
                threads.submit(() -> collect(second, child)),
                threads.submit(() -> optimize(first.get(DOCS), child)));
        Map<Long, String> model = new TreeMap<>();
        for (Future<Map<Long, String>> writer : writers) {
          model.putAll(writer.get());
        }
        assertThat(child.waitFor(millis + 60_000L, TimeUnit.MILLISECONDS)).isTrue();
        model.putAll(childModel(output));
        for (Future<Integer> other : others) {
          assertThat(other.get()).isPositive();
        }
        first.get(DOCS).optimize(Set.of(Part.values()));
        collectAll(first);
        check(first.get(DOCS), files(), model);
      } finally {
        child.destroyForcibly();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Collects until nothing is left. Some goes a little later than the rest: what was superseded in
   * the second that the store's clock shows, and what a slow reader's pin held until the next tick.
   */
  private static void collectAll(Warehouse warehouse) throws InterruptedException {
    for (int attempt = 0; attempt < 20; attempt++) {
      warehouse.collectGarbage(DOCS, AT_ONCE);
      Thread.sleep(1_500);
      if (warehouse.collectGarbage(DOCS, AT_ONCE).isEmpty()) {
        return;
      }
    }
    fail("garbage is left: " + warehouse.collectGarbage(DOCS, AT_ONCE.asDryRun()));
  }

  private static Map<Long, String> childModel(Path output) throws Exception {
    List<String> lines = Files.readAllLines(output);
    assertThat(lines).isNotEmpty().allMatch(line -> line.startsWith("model "));
    Map<Long, String> model = new TreeMap<>();
    lines.stream()
        .map(line -> line.split(" "))
        .forEach(parts -> model.put(Long.valueOf(parts[1]), parts[2]));
    return model;
  }

  private static void check(Collection docs, Path root, Map<Long, String> model) throws Exception {
    GarbageFixture.checkWhole(root, docs);
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      List<OutputColumn> output = List.of(OutputColumn.field(1), OutputColumn.field(2));
      Map<Long, String> found =
          Reads.rows(snapshot, SearchRequest.scan(output)).stream()
              .collect(
                  Collectors.toMap(
                      row -> (Long) row[0],
                      row -> String.valueOf(row[1]).replaceFirst(" .*", ""),
                      (a, b) -> {
                        throw new AssertionError("two rows of one key: " + a + ", " + b);
                      },
                      TreeMap::new));
      assertThat(found).isEqualTo(model);
    }
  }

  /** Reads versions twice each; the number of versions that could be read twice. */
  private static int read(Collection docs, Process whileAlive) throws InterruptedException {
    Random random = new Random(7);
    int twice = 0;
    while (whileAlive.isAlive()) {
      try {
        List<Manifest> retained = docs.manifests();
        long version = retained.get(random.nextInt(retained.size())).version();
        try (Snapshot snapshot = docs.snapshot(new VersionSpec.At(version))) {
          List<String> answers = GarbageFixture.answers(snapshot);
          Thread.sleep(random.nextInt(60));
          assertThat(GarbageFixture.answers(snapshot)).isEqualTo(answers);
          twice++;
        }
      } catch (LoamException e) {
        assertThat(e.code()).as(e.toString()).isEqualTo(ErrorCode.UNKNOWN_VERSION);
        assertThat(e).hasMessageContaining("oldestRetained=");
      }
    }
    return twice;
  }

  /** How many objects were collected. */
  private static int collect(Warehouse warehouse, Process whileAlive) throws InterruptedException {
    int removed = 0;
    while (whileAlive.isAlive()) {
      try {
        removed += warehouse.collectGarbage(DOCS, AT_ONCE).size();
      } catch (LoamException e) {
        assertThat(e.code()).as(e.toString()).isEqualTo(ErrorCode.CONFLICT); // maintenance runs
      }
      Thread.sleep(300);
    }
    return removed;
  }

  /** How many steps of maintenance were done. */
  private static int optimize(Collection docs, Process whileAlive) throws InterruptedException {
    int steps = 0;
    while (whileAlive.isAlive()) {
      try {
        steps += docs.optimize(Set.of(Part.values())).size();
      } catch (LoamException e) {
        assertThat(e.code()).as(e.toString()).isEqualTo(ErrorCode.CONFLICT); // garbage goes
      }
      Thread.sleep(200);
    }
    return steps;
  }
}
