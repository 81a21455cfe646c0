package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.manifest.Manifest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** P9: garbage collection removes what nothing needs, and only that. */
abstract class GarbageContract extends GarbageCase {

  @Test
  void p9_onlyWhatNoRetainedVersionOrTagNeedsGoes() throws IOException {
    Collection docs = filled(0, 3);
    docs.createTag("early", new VersionSpec.At(3));
    Map<Long, List<String>> before = GarbageFixture.allAnswers(docs);
    assertThat(before.keySet()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    Set<String> objects = GarbageFixture.objects(root);

    List<Garbage> dry = collect(warehouse, AT_ONCE.asDryRun());
    assertThat(GarbageFixture.objects(root)).isEqualTo(objects);
    assertThat(docs.manifests()).hasSize(8);
    List<Garbage> removed = collect(warehouse, AT_ONCE);
    assertThat(removed).isEqualTo(dry);
    assertThat(removed).extracting(Garbage::reason).contains("needed by versions before 6 only");
    Set<String> left = new TreeSet<>(objects);
    left.removeAll(GarbageFixture.paths(removed));
    left.add(objects.iterator().next().replaceFirst("/head$", "/lease"));
    assertThat(GarbageFixture.objects(root)).isEqualTo(left);

    assertThat(docs.manifests()).extracting(Manifest::version).containsExactly(8L, 7L, 6L, 3L);
    GarbageFixture.checkWhole(root, docs);
    before.keySet().retainAll(Set.of(3L, 6L, 7L, 8L));
    assertThat(GarbageFixture.allAnswers(docs)).isEqualTo(before);
    assertThat(GarbageFixture.answers(docs, new VersionSpec.Tag("EARLY")))
        .isEqualTo(before.get(3L));
    for (long gone : new long[] {1, 2, 4, 5}) {
      assertCollected(docs, gone, 6);
    }
    assertThat(collect(warehouse, AT_ONCE)).isEmpty();

    docs.dropTag("early");
    assertThat(collect(warehouse, AT_ONCE)).isNotEmpty();
    assertCollected(docs, 3, 6);
    GarbageFixture.checkWhole(root, docs);
    checkOpenedAfresh(before);
  }

  /** All of it still works in another process: reads, writes, and deletes of old rows. */
  private void checkOpenedAfresh(Map<Long, List<String>> before) {
    warehouse.close();
    warehouse = reopened();
    Collection docs = warehouse.get(DOCS);
    assertThat(GarbageFixture.answers(docs, LATEST)).isEqualTo(before.get(8L));
    GarbageFixture.delete(docs, Set.of(5L, 2_502L, 4_003L, 6_000L));
    GarbageFixture.insert(docs, 7_000, 7_010);
    assertThat(GarbageFixture.answers(docs, new VersionSpec.At(8))).isEqualTo(before.get(8L));
    try (Snapshot snapshot = docs.snapshot(LATEST)) {
      assertThat(snapshot.liveDocuments()).isEqualTo(1_001 * 2 + 20 + 1 - 4 - 4 + 10);
    }
  }

  @Test
  void p9_unknownFilesStay() throws IOException {
    Collection docs = filled(0, 1);
    Path collection = root.resolve(docs.manifests().get(0).schemaPath()).getParent().getParent();
    List<Path> unknown =
        Stream.of(
                "notes.txt",
                "text/notes.split",
                "manifests/copy.pb",
                "lance/data/readme.md",
                "lance/_indices/x/page.idx",
                "keys/old/00000000000000000001-01m8nfg34gqm0wgnkj3jke7n1a.delta")
            .map(collection::resolve)
            .toList();
    for (Path file : unknown) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, "mine");
    }
    collect(warehouse, AT_ONCE);
    assertThat(unknown).allSatisfy(file -> assertThat(file).hasContent("mine"));
  }

  @Test
  void youngObjectsAndRetainedVersionsStay() {
    Collection docs = filled(0, 1);
    assertThat(collect(warehouse, GcOptions.defaults())).isEmpty();
    assertThat(docs.manifests()).hasSize(8);
    assertThat(collect(warehouse, AT_ONCE)).isNotEmpty();

    warehouse.drop(DOCS);
    Collection kept = filled(24 * 60, 1);
    assertThat(collect(warehouse, GcOptions.defaults())).isEmpty();
    assertThat(kept.manifests()).hasSize(8);
  }

  @Test
  void ageOfFilesAloneDoesNotEndARetention() throws IOException {
    Collection docs = filled(24 * 60, 1);
    setAges(Duration.ofDays(2));
    assertThat(collect(warehouse, GcOptions.defaults())).isEmpty();
    assertThat(docs.manifests()).hasSize(8);
  }

  /** As if the store's clock had jumped back after all was written. */
  @Test
  void p9_objectsOfTheFutureStayAndHarmNothing() throws IOException {
    Collection docs = filled(0, 1);
    Map<Long, List<String>> before = GarbageFixture.allAnswers(docs);
    setAges(Duration.ofHours(-30));
    assertThat(collect(warehouse, GcOptions.defaults())).isEmpty();
    assertThat(collect(warehouse, AT_ONCE)).isEmpty();
    assertThat(GarbageFixture.allAnswers(docs)).isEqualTo(before);
    setAges(Duration.ofHours(30));
    assertThat(collect(warehouse, AT_ONCE)).isNotEmpty();
    GarbageFixture.checkWhole(root, docs);
  }

  @Test
  void abandonedWritesGo() throws IOException {
    Collection docs = filled(0, 10);
    Set<String> before = GarbageFixture.objects(root);
    hook =
        (operation, path) -> {
          if (operation.equals("putIfMatch") && path.endsWith("/head")) {
            throw new LoamException(ErrorCode.STORE_UNAVAILABLE, "store is away; try again");
          }
        };
    failure(() -> GarbageFixture.insert(docs, 10_000, 11_500));
    hook = (operation, path) -> {};
    Set<String> abandoned = GarbageFixture.objects(root);
    abandoned.removeAll(before);
    // Data, split and its files, key delta, Lance manifest and transaction, manifest.
    assertThat(abandoned).hasSizeGreaterThan(7);
    assertThat(collect(warehouse, GcOptions.defaults())).as("while they are young").isEmpty();
    List<Garbage> removed = collect(warehouse, AT_ONCE);
    assertThat(removed).extracting(Garbage::reason).containsOnly("named by no version");
    Set<String> left = new TreeSet<>(abandoned);
    left.removeAll(GarbageFixture.paths(removed));
    // Transactions stay as long as the version that they were based on.
    assertThat(left).allMatch(path -> path.endsWith(".txn"));
    GarbageFixture.checkWhole(root, docs);
  }

  /** A load that takes longer than the grace period: what it has written stays, and lands. */
  @Test
  void p9_aLongLoadOutlivesCollections() throws Exception {
    Collection docs = filled(0, 1);
    Set<String> before = GarbageFixture.objects(root);
    CountDownLatch atSwap = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    hook = (operation, path) -> waitBeforeSwap(operation, path, atSwap, goOn);
    CompletableFuture<Void> load =
        CompletableFuture.runAsync(() -> GarbageFixture.insert(docs, 10_000, 11_200));
    await(atSwap);
    waitFor(() -> GarbageFixture.objects(root).stream().anyMatch(o -> o.contains("/pins/")));
    Set<String> written = GarbageFixture.objects(root);
    written.removeAll(before);
    written.removeIf(object -> !object.matches(".*/(text|lance/data)/.*"));
    assertThat(written).hasSizeGreaterThan(3);
    Path folder = root.resolve(docs.manifests().get(0).schemaPath()).getParent().getParent();
    Path garbage = folder.resolve("keys/00000000000000000001-01m8nfg34gqm0wgnkj3jke7n1a.delta");
    Files.writeString(garbage, "x");
    setAges(Duration.ofHours(2));
    try (Warehouse other = Warehouse.open(options("c2"))) {
      assertThat(GarbageFixture.paths(collect(other, GcOptions.defaults())))
          .contains(root.relativize(garbage).toString())
          .doesNotContainAnyElementsOf(written);
    }
    goOn.countDown();
    load.get(60, TimeUnit.SECONDS);
    hook = (operation, path) -> {};
    GarbageFixture.checkWhole(root, docs);
    assertThat(docs.verify(LATEST).findings()).isEmpty();
    assertThat(GarbageFixture.answers(docs, LATEST)).hasSizeGreaterThan(2_019 + 1_200);
    // The version names copies, which that collection cannot have listed.
    try (Warehouse other = Warehouse.open(options("c2"))) {
      waitFor(() -> GarbageFixture.objects(root).stream().noneMatch(o -> o.contains("/pins/")));
      assertThat(GarbageFixture.paths(collect(other, AT_ONCE))).containsAll(written);
    }
    GarbageFixture.checkWhole(root, docs);
  }

  @Test
  void tagsNameVersionsAndKeepThem() {
    Collection docs = filled(0, 1);
    docs.createTag("a", new VersionSpec.At(2));
    docs.createTag("B", new VersionSpec.Tag("A"));
    docs.createTag("now", LATEST);
    assertThat(docs.tags().keySet()).containsExactly("a", "B", "now");
    assertThat(docs.tags().get("b").version()).isEqualTo(2);
    assertThat(docs.tags().get("now").version()).isEqualTo(8);
    LoamException taken = failure(() -> docs.createTag("NOW", new VersionSpec.At(3)));
    assertThat(taken.code()).isEqualTo(ErrorCode.DUPLICATE_TAG);
    assertThat(failure(() -> docs.createTag(" ", LATEST)).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(failure(() -> docs.createTag("x".repeat(129), LATEST)).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    collect(warehouse, AT_ONCE);
    assertThat(failure(() -> docs.createTag("late", new VersionSpec.At(3))).code())
        .isEqualTo(ErrorCode.UNKNOWN_VERSION);
    assertThat(failure(() -> docs.snapshot(new VersionSpec.Tag("gone")).close()))
        .hasMessageContaining("tags=[a, B, now]");
    docs.createTag("again", new VersionSpec.At(2));
    assertThat(docs.dropTag("A")).isTrue();
    assertThat(docs.dropTag("A")).isFalse();
    docs.dropTag("b");
    collect(warehouse, AT_ONCE);
    assertThat(docs.manifests()).extracting(Manifest::version).containsExactly(8L, 2L);
  }

  @Test
  void timesAndVersionsThatAreNotRetainedAreToldSo() {
    Collection docs = filled(0, 2);
    Manifest fifth = docs.manifests().get(3);
    Instant then = Instant.ofEpochMilli(fifth.createdAtMillis());
    assertThat(GarbageFixture.answers(docs, new VersionSpec.AsOf(then))).isNotEmpty();
    collect(warehouse, AT_ONCE);
    LoamException e = failure(() -> docs.snapshot(new VersionSpec.AsOf(then)).close());
    assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_VERSION);
    assertThat(e).hasMessageContaining("time=" + then).hasMessageContaining("oldestRetained=7");
    // A write that names rows of a version from which on not all is retained has to read again.
    LoamException stale = failure(() -> docs.commit(WriteBatch.basedOn(2).delete(9)));
    assertThat(stale.code()).isEqualTo(ErrorCode.CONFLICT);
  }

  @Test
  void p9_foldedTailGoes() throws IOException {
    Collection docs = warehouse.create(DOCS, GarbageFixture.schema(0, 1));
    for (int i = 0; i < 70; i++) {
      GarbageFixture.insert(docs, i * 10L, i * 10L + 2);
    }
    List<String> before = GarbageFixture.answers(docs, LATEST);
    assertThat(docs.manifests().get(0).splits()).hasSize(1);
    collect(warehouse, AT_ONCE);
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
}
