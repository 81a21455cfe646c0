package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.manifest.Manifest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.store.HookedStore;
import io.loam.store.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Garbage collection of real collections: what goes, what stays, and who notices. */
abstract class GarbageCollectionContract {
  static final VersionSpec LATEST = new VersionSpec.Latest();

  @TempDir Path folder;

  /** Where objects are as files. */
  Path root;

  volatile HookedStore.Hook hook = (operation, path) -> {};
  Warehouse warehouse;

  /** Where the warehouse is. */
  abstract StoreLocation location();

  /** Where its objects are as files. */
  abstract Path files();

  @BeforeEach
  void open() {
    root = files();
    warehouse = reopened();
  }

  @AfterEach
  void close() {
    warehouse.close();
  }

  final Warehouse reopened() {
    return new LoamWarehouse(
        options("cache"),
        new HookedStore(location().open(), (operation, path) -> hook.before(operation, path)));
  }

  final WarehouseOptions options(String cache) {
    return new WarehouseOptions(location(), folder.resolve(cache), 0);
  }

  /** Waits until the store's clock is past all that was written. */
  abstract void letTimePass();

  final List<Garbage> collect(Warehouse in, GcOptions options) {
    letTimePass();
    return in.collectGarbage(DOCS, options);
  }

  final Collection filled(int minutes, int versions) {
    Collection docs = warehouse.create(DOCS, GarbageFixture.schema(minutes, versions));
    GarbageFixture.fill(docs);
    return docs;
  }

  static LoamException failure(Runnable read) {
    LoamException[] found = new LoamException[1];
    assertThatThrownBy(read::run).isInstanceOfSatisfying(LoamException.class, e -> found[0] = e);
    return found[0];
  }

  private static void assertCollected(Collection docs, long version, long oldest) {
    LoamException e = failure(() -> docs.snapshot(new VersionSpec.At(version)).close());
    assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_VERSION);
    assertThat(e)
        .hasMessageContaining("version is not retained any more")
        .hasMessageContaining("version=" + version)
        .hasMessageContaining("oldestRetained=" + oldest);
  }

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

  /** Of all but pins. */
  private void setAges(Duration age) throws IOException {
    FileTime time = FileTime.from(Instant.now().minus(age));
    for (String object : GarbageFixture.objects(root)) {
      if (!object.contains("/pins/")) {
        Files.setLastModifiedTime(root.resolve(object), time);
      }
    }
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
  void p5_readersThatHaveJustBegunKeepTheirVersionForTheGracePeriod() throws IOException {
    Collection docs = filled(0, 1);
    List<String> before = GarbageFixture.answers(docs, LATEST);
    GcOptions seconds = GcOptions.defaults().withGrace(Duration.ofSeconds(30));
    try (Warehouse other = Warehouse.open(options("c2"));
        Snapshot reader = other.get(DOCS).snapshot(LATEST)) {
      GarbageFixture.delete(docs, Set.of(7L, 2_600L, 4_005L));
      setAges(Duration.ofHours(30));
      assertThat(collect(warehouse, seconds))
          .extracting(Garbage::path)
          .noneMatch(path -> path.contains("/manifests/%020d-".formatted(reader.version())));
      assertThat(GarbageFixture.objects(root)).noneMatch(path -> path.contains("/pins/"));
      assertThat(GarbageFixture.answers(reader)).isEqualTo(before);
    }
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

  @Test
  void p4_writerThatSleptThroughACollectionStartsAgain() throws Exception {
    Collection docs = filled(0, 1);
    CountDownLatch atSwap = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    hook = (operation, path) -> waitBeforeSwap(operation, path, atSwap, goOn);
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
  void p4_writerThatBeganDuringACollectionKeepsItsObjects() throws Exception {
    Collection docs = filled(0, 1);
    CountDownLatch atSwap = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    hook = (operation, path) -> waitBeforeSwap(operation, path, atSwap, goOn);
    AtomicInteger swaps = new AtomicInteger();
    CompletableFuture<Void> writer = new CompletableFuture<>();
    HookedStore collecting =
        new HookedStore(
            location().open(),
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

  private static void waitBeforeSwap(
      String operation, String path, CountDownLatch atSwap, CountDownLatch goOn) {
    if (operation.equals("putIfMatch") && path.endsWith("/head") && atSwap.getCount() > 0) {
      atSwap.countDown();
      await(goOn);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void p5_longReaderKeepsItsVersion() throws Exception {
    Collection docs = filled(0, 1);
    List<String> before = GarbageFixture.answers(docs, LATEST);
    Snapshot reader = docs.snapshot(LATEST);
    long pinned = reader.version();
    waitFor(() -> GarbageFixture.objects(root).stream().anyMatch(o -> o.contains("/pins/")));
    GarbageFixture.delete(docs, Set.of(7L, 2_600L, 4_005L));
    GarbageFixture.insert(docs, 9_000, 9_001);
    try (Warehouse other = Warehouse.open(options("c2"))) {
      assertThat(collect(other, AT_ONCE)).isNotEmpty();
      assertCollected(other.get(DOCS), pinned, pinned + 2);
      assertThat(GarbageFixture.answers(reader)).isEqualTo(before);
      reader.close();
      waitFor(() -> GarbageFixture.objects(root).stream().noneMatch(o -> o.contains("/pins/")));
      assertThat(collect(other, AT_ONCE))
          .extracting(Garbage::path)
          .anyMatch(path -> path.contains("/manifests/%020d-".formatted(pinned)));
    }
  }

  /** A condition that reads files. */
  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void waitFor(Condition condition) throws Exception {
    for (int i = 0; i < 300; i++) {
      if (condition.holds()) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("not within 15 s");
  }

  @Test
  void p5_readerWhoseVersionWentGetsTheOneError() {
    Collection docs = filled(0, 1);
    try (Snapshot reader = docs.snapshot(LATEST);
        Warehouse other = Warehouse.open(options("c2"))) {
      GarbageFixture.delete(other.get(DOCS), Set.of(7L, 2_600L, 4_005L));
      assertThat(collect(other, AT_ONCE)).isNotEmpty();
      LoamException e = null;
      try {
        GarbageFixture.answers(reader);
      } catch (LoamException failure) {
        e = failure;
      }
      // Files that were open go on being read; whatever is missing gives this error only.
      if (e != null) {
        assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_VERSION);
        assertThat(e).hasMessageContaining("version=8, oldestRetained=9");
      }
    }
  }

  @Test
  void droppedTablesGo() throws IOException {
    Collection first = filled(0, 1);
    String folder = first.manifests().get(0).schemaPath().replaceFirst("schemas/.*", "");
    warehouse.drop(DOCS);
    Collection second = warehouse.create(DOCS, GarbageFixture.schema(0, 1));
    GarbageFixture.insert(second, 0, 3);
    assertThat(collect(warehouse, GcOptions.defaults())).isEmpty();
    List<Garbage> dry = collect(warehouse, AT_ONCE.asDryRun());
    assertThat(collect(warehouse, AT_ONCE)).isEqualTo(dry);
    assertThat(dry).extracting(Garbage::reason).contains("table was dropped");
    assertThat(GarbageFixture.objects(root)).noneMatch(object -> object.startsWith(folder));
    GarbageFixture.checkWhole(root, second);
    // Whoever still has the dropped table at hand cannot write to it.
    failure(() -> GarbageFixture.insert(first, 50_000, 50_001));

    warehouse.drop(DOCS);
    assertThat(collect(warehouse, AT_ONCE.asDryRun())).isNotEmpty();
    assertThat(collect(warehouse, AT_ONCE)).isNotEmpty();
    assertThat(failure(() -> collect(warehouse, AT_ONCE)).code())
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
            location().open(),
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
}
