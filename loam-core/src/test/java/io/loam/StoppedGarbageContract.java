package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Manifest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** P9: a collection that stops anywhere leaves garbage only. */
abstract class StoppedGarbageContract extends GarbageCase {
  /** A collection is stopped after each so many operations at first, more seldom later. */
  abstract int stride();

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
    for (int stop = 0; stop < operations; stop += stop < 14 ? stride() : 9 * stride()) {
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
    collect(warehouse, AT_ONCE);
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
      collect(after, AT_ONCE);
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
        // A server keeps what it knows of an object beside the file.
        Files.copy(
            file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
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
