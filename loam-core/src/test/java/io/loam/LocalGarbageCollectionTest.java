package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Manifest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** In a folder. */
class LocalGarbageCollectionTest extends GarbageCollectionContract {
  @Override
  StoreLocation location() {
    return new StoreLocation.Folder(folder.resolve("warehouse"));
  }

  @Override
  Path files() {
    return folder.resolve("warehouse");
  }

  @Override
  void letTimePass() {}

  @Test
  void p9_foldedTailGoes() throws IOException {
    Collection docs = warehouse.create(DOCS, GarbageFixture.schema(0, 1));
    for (int i = 0; i < 70; i++) {
      GarbageFixture.insert(docs, i * 10L, i * 10L + 2);
    }
    List<String> before = GarbageFixture.answers(docs, LATEST);
    assertThat(docs.manifests().get(0).splits()).hasSize(1);
    warehouse.collectGarbage(DOCS, AT_ONCE);
    assertThat(docs.manifests()).hasSize(1);
    GarbageFixture.checkWhole(root, docs);
    assertThat(GarbageFixture.answers(docs, LATEST)).isEqualTo(before);
    // What was folded is one fragment and one split; the commits since are files of the tail.
    Set<String> objects = GarbageFixture.objects(root);
    assertThat(objects).filteredOn(o -> o.contains("/lance/data/")).hasSize(1);
    assertThat(objects).filteredOn(o -> o.contains("/tail/")).hasSize(5);
    assertThat(objects).filteredOn(o -> o.contains("/manifests/")).hasSize(1);
    assertThat(objects).filteredOn(o -> o.contains("/lance/_versions/d")).hasSize(1);
    assertThat(objects).filteredOn(o -> o.contains("/keys/")).hasSize(1);
    assertThat(objects).filteredOn(o -> o.endsWith(".split")).hasSize(1);
  }

  @Test
  void stoppedAnywhereItLeavesGarbageOnly() throws IOException {
    Collection docs = filled(0, 2);
    docs.createTag("early", new VersionSpec.At(2));
    Path origin = folder.resolve("origin");
    warehouse.close();
    copy(root, origin);
    int operations = countOperations();
    assertThat(operations).isGreaterThan(20);
    List<Integer> stops = new ArrayList<>();
    for (int stop = 0; stop < operations; stop += stop < 14 ? 1 : 9) {
      stops.add(stop);
    }
    stops.add(operations - 1);
    for (int stop : stops) {
      renew(origin);
      warehouse = reopened();
      AtomicInteger left = new AtomicInteger(stop);
      hook =
          (operation, path) -> {
            if (left.getAndDecrement() <= 0) {
              throw new LoamException(ErrorCode.STORE_UNAVAILABLE, "killed; start again");
            }
          };
      failure(() -> warehouse.collectGarbage(DOCS, AT_ONCE));
      hook = (operation, path) -> {};
      warehouse.close();
      checkAfterStop(stop);
    }
    warehouse = reopened();
  }

  private int countOperations() {
    AtomicInteger count = new AtomicInteger();
    hook = (operation, path) -> count.incrementAndGet();
    warehouse = reopened();
    warehouse.collectGarbage(DOCS, AT_ONCE);
    warehouse.close();
    hook = (operation, path) -> {};
    // The last one gives the lease back, whose failure is no failure.
    return count.get() - 1;
  }

  private void checkAfterStop(int stop) throws IOException {
    try (Warehouse after = reopened()) {
      Collection docs = after.get(DOCS);
      GarbageFixture.checkWhole(root, docs);
      try (Snapshot snapshot = docs.snapshot(LATEST)) {
        assertThat(snapshot.liveDocuments()).as("stopped at %d", stop).isEqualTo(2_019);
      }
      GarbageFixture.delete(docs, Set.of(5L));
      // Whoever died holding the lease holds it until its deadline.
      for (String object : GarbageFixture.objects(root)) {
        if (object.endsWith("/lease")) {
          Files.delete(root.resolve(object));
        }
      }
      after.collectGarbage(DOCS, AT_ONCE);
      assertThat(docs.manifests()).extracting(Manifest::version).containsExactly(9L, 8L, 2L);
      GarbageFixture.checkWhole(root, docs);
      assertThat(after.collectGarbage(DOCS, AT_ONCE.asDryRun())).isEmpty();
    }
  }

  private void renew(Path origin) throws IOException {
    delete(root);
    copy(origin, root);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
