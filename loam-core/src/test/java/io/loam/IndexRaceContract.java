package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.IndexFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Part;
import io.loam.manifest.Manifest;
import io.loam.manifest.RowIdRanges;
import io.loam.manifest.VectorIndexRef;
import io.loam.query.QueryProfile;
import io.loam.query.VersionSpec;
import io.loam.store.HookedStore;
import io.loam.store.StoreLocation;
import io.loam.vector.IndexKind;
import io.loam.vector.VectorQuery.Precision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What lands between the building of segments and the swap of the head that names them. */
abstract class IndexRaceContract {
  private static final int DIMENSION = 4;

  /** All lists are looked at, so that answers have to be exact. */
  static final Map<String, String> OPTIONS =
      Map.of("min_rows", "0", "partitions", "5", "nprobes", "65536", "max_segment_bytes", "65536");

  @TempDir Path folder;
  private Path root;
  private Warehouse others;
  Collection docs;
  private final IndexFixture fixture = new IndexFixture(DIMENSION, 10, 9);
  private final Map<Long, float[]> model = new TreeMap<>();

  /** Where the warehouse is. */
  abstract StoreLocation location();

  /** Where its objects are as files. */
  abstract Path files();

  /** Waits until the store's clock is past all that was written. */
  abstract void letTimePass();

  @BeforeEach
  void fill() {
    root = files();
    others = Warehouse.open(new WarehouseOptions(location(), folder.resolve("cache"), 0));
    docs = others.create(DOCS, IndexFixture.schema(DIMENSION, "cosine"));
    fixture.upsert(docs, 0, 1_500, model);
    fixture.upsert(docs, 2_000, 3_500, model);
    fixture.upsert(docs, 5_000, 5_010, model);
    delete(100, 110);
  }

  @AfterEach
  void close() {
    others.close();
  }

  final void delete(long from, long to) {
    Set<Long> gone = LongStream.range(from, to).boxed().collect(Collectors.toSet());
    GarbageFixture.delete(docs, gone);
    model.keySet().removeAll(gone);
  }

  final Manifest newest() {
    return docs.manifest(new VersionSpec.Latest());
  }

  /** What others do in between. */
  enum Meanwhile {
    DELETE,
    UPDATE,
    BULK,
    COMPACT,
    COMPACT_AND_COLLECT,
    DELETE_ALL,
    OTHER_INDEX
  }

  private void act(Meanwhile meanwhile) {
    switch (meanwhile) {
      case DELETE -> delete(2_000, 2_100);
      case UPDATE -> fixture.upsert(docs, 1_000, 1_100, model);
      case BULK -> fixture.upsert(docs, 3_000, 4_500, model);
      case COMPACT -> docs.optimize(EnumSet.allOf(Part.class));
      case COMPACT_AND_COLLECT -> {
        docs.optimize(EnumSet.allOf(Part.class));
        collectGarbage();
      }
      case DELETE_ALL -> delete(0, 6_000);
      case OTHER_INDEX -> {
        docs.dropIndex("other");
        docs.createIndex("other", "embedding", IndexKind.IVF_PQ, Map.of());
      }
    }
  }

  private void collectGarbage() {
    letTimePass();
    others.collectGarbage(DOCS, AT_ONCE);
  }

  /** Runs something whose first swap of the head comes after what others do. */
  final void racing(Runnable meanwhile, java.util.function.Consumer<Collection> work) {
    AtomicInteger swaps = new AtomicInteger();
    HookedStore store =
        new HookedStore(
            location().open(),
            (operation, path) -> {
              if (operation.equals("putIfMatch")
                  && path.endsWith("/head")
                  && swaps.getAndIncrement() == 0) {
                meanwhile.run();
              }
            });
    try (LoamWarehouse warehouse =
        new LoamWarehouse(new WarehouseOptions(location(), folder.resolve("cache2"), 0), store)) {
      work.accept(warehouse.get(DOCS));
    }
  }

  final void check() throws Exception {
    for (VectorIndexRef index : newest().indexes()) {
      long covered = index.segments().stream().mapToLong(s -> RowIdRanges.count(s.rowIds())).sum();
      assertThat(RowIdRanges.count(RowIdRanges.ascending(index.covered()))).isEqualTo(covered);
    }
    for (int i = 0; i < 5; i++) {
      float[] query = fixture.vector();
      assertThat(IndexFixture.search(docs, query, 20, Precision.APPROXIMATE, new QueryProfile()))
          .isEqualTo(Oracle.top(Oracle.cosine(model, model.keySet(), query), 20));
    }
    assertThat(docs.verify(new VersionSpec.Latest()).findings()).isEmpty();
    GarbageFixture.checkWhole(root, docs);
  }

  @ParameterizedTest
  @EnumSource(Meanwhile.class)
  void p4_indexThatIsMadeBesideOthersIsRight(Meanwhile meanwhile) throws Exception {
    StringBuilder plans = new StringBuilder();
    racing(
        () -> {
          plans.append(plans());
          act(meanwhile);
        },
        collection ->
            collection.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS));
    // What collected garbage may have listed the files that were planned.
    boolean planned = meanwhile != Meanwhile.COMPACT_AND_COLLECT;
    assertThat(newest().index("by_vector").orElseThrow().segments())
        .hasSizeGreaterThan(1)
        .allMatch(segment -> plans.toString().contains(segment.ulid()) == planned)
        .allMatch(segment -> plans.toString().contains(segment.training().path()) == planned);
    check();
    racing(() -> act(meanwhile), collection -> collection.rebuildIndex("by_vector"));
    check();
    docs.optimize(EnumSet.allOf(Part.class));
    collectGarbage();
    check();
  }

  /** The texts of all plans. */
  private String plans() {
    try (Stream<Path> all = Files.walk(root)) {
      StringBuilder texts = new StringBuilder();
      for (Path plan : all.filter(path -> path.toString().contains("/plans/")).toList()) {
        texts.append(Files.readString(plan));
      }
      return texts.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void ofTwoThatMakeAnIndexOneFails() throws Exception {
    assertThatThrownBy(
            () ->
                racing(
                    () -> docs.createIndex("BY_VECTOR", "embedding", IndexKind.IVF_FLAT, OPTIONS),
                    collection ->
                        collection.createIndex(
                            "by_vector", "embedding", IndexKind.IVF_SQ, OPTIONS)))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DUPLICATE_INDEX));
    assertThat(newest().indexes()).singleElement().matches(i -> i.kind().equals("ivf_flat"));
    check();
  }

  @Test
  void indexThatIsDroppedIsNotBuiltAnew() {
    docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
    assertThatThrownBy(
            () ->
                racing(
                    () -> docs.dropIndex("by_vector"),
                    collection -> collection.rebuildIndex("by_vector")))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_INDEX));
    assertThat(newest().indexes()).isEmpty();
  }

  @Test
  void segmentsOfAnIndexThatIsDroppedAreGarbage() throws Exception {
    docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
    fixture.upsert(docs, 10_000, 31_000, model);
    racing(
        () -> docs.dropIndex("by_vector"),
        collection -> assertThat(collection.optimize(Set.of(Part.INDEXES))).isEmpty());
    assertThat(newest().indexes()).isEmpty();
    check();
    for (Manifest old : docs.manifests()) {
      assertThat(docs.verify(new VersionSpec.At(old.version())).findings()).isEmpty();
    }
  }

  /** Of rows that two cover at once, those of the first stay, and the other's parts beside go. */
  @Test
  void twoThatAddSegmentsOverTheSameRowsCoverThemOnce() throws Exception {
    docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
    fixture.upsert(docs, 10_000, 31_000, model);
    racing(
        () -> {
          fixture.upsert(docs, 40_000, 61_000, model);
          docs.rebuildIndex("by_vector");
        },
        collection -> collection.optimize(Set.of(Part.INDEXES)));
    assertThat(RowIdRanges.count(newest().index("by_vector").orElseThrow().covered()))
        .isGreaterThanOrEqualTo(42_000);
    check();
  }

  @Test
  void columnThatIsDroppedTakesTheIndexWithIt() {
    assertThatThrownBy(
            () ->
                racing(
                    () ->
                        docs.alter(
                            schema -> io.loam.schema.SchemaChanges.drop(schema, "embedding")),
                    collection ->
                        collection.createIndex(
                            "by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS)))
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_COLUMN));
    assertThat(newest().indexes()).isEmpty();
  }

  /** One adds segments over new rows, the other builds all anew. */
  @Test
  void adderAndReplacerNeverCoverARowTwice() throws Exception {
    docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
    fixture.upsert(docs, 10_000, 31_000, model);
    racing(
        () -> docs.optimize(Set.of(Part.INDEXES)),
        collection -> collection.rebuildIndex("by_vector"));
    check();
    fixture.upsert(docs, 40_000, 61_000, model);
    racing(
        () -> docs.rebuildIndex("by_vector"),
        collection -> assertThat(collection.optimize(Set.of(Part.INDEXES))).isEmpty());
    check();
  }
}
