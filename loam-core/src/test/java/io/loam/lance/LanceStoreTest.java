package io.loam.lance;

import static io.loam.lance.LanceSamples.DENSE;
import static io.loam.lance.LanceSamples.DENSE_FIELD;
import static io.loam.lance.LanceSamples.DIMENSION;
import static io.loam.lance.LanceSamples.SCHEMA;
import static io.loam.lance.LanceSamples.SPARSE;
import static io.loam.lance.LanceSamples.SPARSE_FIELD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.RowIdRange;
import io.loam.schema.SparseVector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.Dataset;

class LanceStoreTest {
  private static final long MIB = 1L << 20;

  @TempDir Path folder;
  private LanceStore store;
  private String uri;
  private int nextFragmentId = 1;
  private long nextRowId = 100;

  /** A fragment of the model: its rows by physical offset, live or not. */
  private record ModelFragment(long firstRowId, List<LanceRow> rows) {}

  /** What a version should hold. */
  private record ModelVersion(
      long version, Map<Integer, ModelFragment> fragments, TreeMap<Long, LanceRow> live) {}

  @BeforeEach
  void open() {
    store = LanceStore.open(64 * MIB, 64 * MIB);
    uri = folder.resolve("a b%20c#é/lance").toString();
    store.create(uri, SCHEMA);
  }

  @AfterEach
  void close() {
    store.close(); // fails where Arrow memory is still in use
  }

  private ModelVersion empty() {
    return new ModelVersion(LanceStore.EMPTY_VERSION, Map.of(), new TreeMap<>());
  }

  private WrittenFragment write(List<LanceRow> rows) {
    List<RowIdRange> ids = List.of(new RowIdRange(nextRowId, rows.size()));
    nextRowId += rows.size() + 3; // with gaps
    return store.write(uri, SCHEMA, nextFragmentId++, ids, rows);
  }

  /** Appends and deletes in one commit, in the dataset and in the model. */
  private ModelVersion commit(
      ModelVersion parent, List<LanceRow> appended, Map<Integer, int[]> deleted) {
    Map<Integer, ModelFragment> fragments = new HashMap<>(parent.fragments());
    TreeMap<Long, LanceRow> live = new TreeMap<>(parent.live());
    deleted.forEach(
        (id, offsets) -> {
          long first = fragments.get(id).firstRowId();
          Arrays.stream(offsets).forEach(o -> live.remove(first + o));
          long rows = fragments.get(id).rows().size();
          if (live.subMap(first, first + rows).isEmpty()) {
            fragments.remove(id);
          }
        });
    List<WrittenFragment> added = new ArrayList<>();
    if (!appended.isEmpty()) {
      WrittenFragment fragment = write(appended);
      long first = fragment.rowIds().get(0).start();
      fragments.put(fragment.id(), new ModelFragment(first, appended));
      for (int i = 0; i < appended.size(); i++) {
        live.put(first + i, appended.get(i));
      }
      added.add(fragment);
    }
    CommittedVersion committed = store.commit(uri, parent.version(), added, deleted);
    added.forEach(f -> assertWritten(f.files()));
    assertWritten(committed.files());
    assertThat(committed.removedFragments())
        .allSatisfy(id -> assertThat(fragments).doesNotContainKey(id));
    return new ModelVersion(committed.version(), fragments, live);
  }

  private void assertWritten(List<String> files) {
    assertThat(files).allSatisfy(f -> assertThat(Path.of(uri, f)).isRegularFile());
  }

  private static Map<Integer, int[]> randomDeletes(Random random, ModelVersion parent) {
    Map<Integer, int[]> deleted = new HashMap<>();
    for (Map.Entry<Integer, ModelFragment> e : parent.fragments().entrySet()) {
      if (random.nextInt(3) == 0) {
        int rows = e.getValue().rows().size();
        deleted.put(
            e.getKey(), random.ints(1 + random.nextInt(3), 0, rows).toArray()); // may repeat
      }
    }
    return deleted;
  }

  @Test
  void siblingVersionsKeepTheirOwnRows() {
    long seed = 20260101;
    Random random = new Random(seed);
    List<ModelVersion> versions = new ArrayList<>(List.of(empty()));
    for (int step = 0; step < 120; step++) {
      ModelVersion parent = versions.get(random.nextInt(versions.size()));
      List<LanceRow> appended =
          random.nextInt(3) > 0 ? LanceSamples.rows(random, 1 + random.nextInt(6)) : List.of();
      Map<Integer, int[]> deleted = randomDeletes(random, parent);
      if (!appended.isEmpty() || !deleted.isEmpty()) {
        versions.add(commit(parent, appended, deleted));
      }
      for (int k = 0; k < 3; k++) {
        ModelVersion any = versions.get(random.nextInt(versions.size()));
        assertHolds(any, random, "seed " + seed + ", step " + step);
      }
    }
  }

  private void assertHolds(ModelVersion expected, Random random, String where) {
    try (LanceReader reader = store.open(LanceAddress.local(uri), expected.version())) {
      assertThat(reader.rowCount()).as(where).isEqualTo(expected.live().size());
      TreeMap<Long, LanceRow> scanned = new TreeMap<>();
      expected
          .fragments()
          .forEach(
              (id, fragment) -> {
                List<Long> order = new ArrayList<>();
                reader.scan(
                    id,
                    List.of(DENSE_FIELD, SPARSE_FIELD),
                    (rowId, row) -> {
                      order.add(rowId);
                      scanned.put(rowId, row);
                    });
                assertThat(order).as(where).isSorted();
                assertVectors(reader, id, fragment, expected, where);
              });
      assertSame(scanned, expected.live(), where);
      assertTakes(reader, expected, random, where);
    }
  }

  private static void assertSame(
      Map<Long, LanceRow> actual, Map<Long, LanceRow> expected, String where) {
    assertThat(actual.keySet()).as(where).isEqualTo(expected.keySet());
    actual.forEach(
        (id, row) -> {
          LanceRow model = expected.get(id);
          assertThat(row.key()).as(where).isEqualTo(model.key());
          assertThat(row.source()).as(where).isEqualTo(model.source());
          assertThat(row.vectors()).as(where).usingRecursiveComparison().isEqualTo(model.vectors());
        });
  }

  private static void assertVectors(
      LanceReader reader, int id, ModelFragment fragment, ModelVersion version, String where) {
    int rows = fragment.rows().size();
    FragmentVectors vectors = reader.vectors(id, DENSE, rows);
    assertThat(vectors.dimension()).isEqualTo(DIMENSION);
    for (int i = 0; i < rows; i++) {
      Object expected =
          version.live().containsKey(fragment.firstRowId() + i)
              ? fragment.rows().get(i).vectors()[0]
              : null;
      assertThat(vectors.isNull(i)).as(where).isEqualTo(expected == null);
      if (expected != null) {
        assertThat(Arrays.copyOfRange(vectors.data(), i * DIMENSION, (i + 1) * DIMENSION))
            .as(where)
            .isEqualTo(expected);
      }
    }
  }

  /** Takes rows in any order, some of them twice. */
  private static void assertTakes(
      LanceReader reader, ModelVersion version, Random random, String where) {
    List<Long> ids = new ArrayList<>(version.live().keySet());
    ids.addAll(ids.subList(0, ids.size() / 2));
    Collections.shuffle(ids, random);
    long[] rowIds = ids.stream().mapToLong(Long::longValue).toArray();
    byte[][] keys = reader.keys(rowIds);
    String[] sources = reader.sources(rowIds);
    float[][] dense = reader.vectors(DENSE, rowIds);
    SparseVector[] sparse = reader.sparse(SPARSE, rowIds);
    for (int i = 0; i < rowIds.length; i++) {
      LanceRow model = version.live().get(rowIds[i]);
      assertThat(keys[i]).as(where).isEqualTo(model.key());
      assertThat(sources[i]).as(where).isEqualTo(model.source());
      assertThat(dense[i]).as(where).isEqualTo(model.vectors()[0]);
      assertThat(sparse[i]).as(where).isEqualTo(model.vectors()[1]);
    }
  }

  @Test
  void takesInPartsKeepTheOrder() {
    Random random = new Random(7);
    ModelVersion version = commit(empty(), LanceSamples.rows(random, 20_000), Map.of());
    assertHolds(version, random, "20,000 rows");
  }

  @Test
  void manyBatchesMakeOneFragment() {
    Random random = new Random(8);
    String large = "x".repeat(3 << 20);
    List<LanceRow> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      LanceRow row = LanceSamples.row(random);
      rows.add(new LanceRow(row.key(), large + i, row.vectors()));
    }
    WrittenFragment fragment = write(rows);
    assertThat(fragment.files()).hasSize(1);
    assertThat(fragment.rows()).isEqualTo(20);
    CommittedVersion version = store.commit(uri, 1, List.of(fragment), Map.of());
    try (LanceReader reader = store.open(LanceAddress.local(uri), version.version())) {
      long[] ids = LanceSamples.rowIds(fragment.rowIds());
      assertThat(reader.sources(ids))
          .containsExactlyElementsOf(rows.stream().map(LanceRow::source).toList());
    }
  }

  @Test
  void deletingAllRowsRemovesTheFragment() {
    Random random = new Random(9);
    ModelVersion first = commit(empty(), LanceSamples.rows(random, 3), Map.of());
    int id = first.fragments().keySet().iterator().next();
    CommittedVersion gone =
        store.commit(uri, first.version(), List.of(), Map.of(id, new int[] {2, 0, 1}));
    assertThat(gone.removedFragments()).containsExactly(id);
    assertThat(gone.deletionFiles()).isEmpty();
    try (LanceReader reader = store.open(LanceAddress.local(uri), gone.version())) {
      assertThat(reader.rowCount()).isZero();
    }
    assertHolds(first, random, "parent");
  }

  @Test
  void emptyVersionReads() {
    try (LanceReader reader = store.open(LanceAddress.local(uri), LanceStore.EMPTY_VERSION)) {
      assertThat(reader.rowCount()).isZero();
      assertThat(reader.sources(new long[0])).isEmpty();
      assertThat(reader.vectors(DENSE, new long[0])).isEmpty();
    }
  }

  @Test
  void fieldsThatTheVersionLacksAreNull() {
    Random random = new Random(10);
    ModelVersion version = commit(empty(), LanceSamples.rows(random, 2), Map.of());
    long row = version.live().firstKey();
    try (LanceReader reader = store.open(LanceAddress.local(uri), version.version())) {
      assertThat(reader.vectors(99, new long[] {row})[0]).isNull();
      assertThat(reader.vectors(1, 99, 2).isNull(1)).isTrue();
    }
  }

  @Test
  void mainlineStaysEmptyForOtherReaders() {
    commit(empty(), LanceSamples.rows(new Random(11), 5), Map.of());
    try (RootAllocator allocator = new RootAllocator();
        Dataset dataset = Dataset.open().uri(uri).allocator(allocator).build()) {
      assertThat(dataset.version()).isEqualTo(LanceStore.EMPTY_VERSION);
      assertThat(dataset.latestVersion()).isEqualTo(LanceStore.EMPTY_VERSION);
      assertThat(dataset.listVersions()).hasSize(1);
      assertThat(dataset.countRows()).isZero();
      assertThat(dataset.hasStableRowIds()).isTrue();
    }
  }

  @Test
  void missingRowsAreNamed() {
    ModelVersion version = commit(empty(), LanceSamples.rows(new Random(12), 5), Map.of());
    long first = version.live().firstKey();
    try (LanceReader reader = store.open(LanceAddress.local(uri), version.version())) {
      for (long[] ids : List.of(new long[] {first, 7}, new long[] {7, first}, new long[] {7})) {
        assertError(
            () -> reader.sources(ids), ErrorCode.CORRUPT_OBJECT, "row is missing: rowId=7, uri=");
      }
    }
  }

  @Test
  void lostAndCutFilesAreNamed() throws IOException {
    WrittenFragment fragment = write(LanceSamples.rows(new Random(13), 5));
    CommittedVersion version = store.commit(uri, 1, List.of(fragment), Map.of());
    store.close();
    Path data = Path.of(uri, fragment.files().get(0));
    byte[] bytes = Files.readAllBytes(data);
    long[] ids = LanceSamples.rowIds(fragment.rowIds());

    Files.write(data, Arrays.copyOf(bytes, bytes.length - 20));
    store = LanceStore.open(MIB, MIB);
    try (LanceReader reader = store.open(LanceAddress.local(uri), version.version())) {
      assertError(() -> reader.sources(ids), ErrorCode.CORRUPT_OBJECT, "uri=" + uri);
      assertError(
          () -> reader.vectors(fragment.id(), DENSE, 5), ErrorCode.CORRUPT_OBJECT, "uri=" + uri);
    }
    store.close();

    Files.delete(data);
    store = LanceStore.open(MIB, MIB);
    try (LanceReader reader = store.open(LanceAddress.local(uri), version.version())) {
      assertError(() -> reader.sources(ids), ErrorCode.MISSING_OBJECT, "uri=" + uri);
    }
    store.close();

    Path manifest = Path.of(uri, version.manifestFile());
    Files.write(manifest, Arrays.copyOf(Files.readAllBytes(manifest), 40));
    store = LanceStore.open(MIB, MIB);
    assertError(
        () -> store.open(LanceAddress.local(uri), version.version()),
        ErrorCode.CORRUPT_OBJECT,
        "uri=" + uri);
    assertError(
        () -> store.open(LanceAddress.local(uri), -5), ErrorCode.MISSING_OBJECT, "uri=" + uri);
  }

  @Test
  void misuseChangesNothing() {
    Random random = new Random(14);
    ModelVersion version = commit(empty(), LanceSamples.rows(random, 5), Map.of());
    int id = version.fragments().keySet().iterator().next();
    long v = version.version();
    assertError(
        () -> store.commit(uri, v, List.of(), Map.of()), ErrorCode.INTERNAL, "without a change");
    assertError(
        () -> store.commit(uri, v, List.of(), Map.of(id, new int[] {5})),
        ErrorCode.INTERNAL,
        "offset out of range");
    assertError(
        () -> store.commit(uri, v, List.of(), Map.of(id, new int[] {-1})),
        ErrorCode.INTERNAL,
        "offset out of range");
    assertError(
        () -> store.commit(uri, v, List.of(), Map.of(77, new int[] {0})),
        ErrorCode.INTERNAL,
        "no such fragment");
    assertError(() -> write(List.of()), ErrorCode.INTERNAL, "without id or rows");
    RowIdRange three = new RowIdRange(900, 3);
    assertError(
        () -> store.write(uri, SCHEMA, 50, List.of(three), LanceSamples.rows(random, 2)),
        ErrorCode.INTERNAL,
        "differ in number");
    assertError(
        () -> store.write(uri, SCHEMA, 50, List.of(three), List.of()),
        ErrorCode.INTERNAL,
        "not written as one file");
    LanceRow wrong = new LanceRow(new byte[] {1}, "{}", new Object[] {new float[3], null});
    assertError(() -> write(List.of(wrong)), ErrorCode.TYPE_MISMATCH, "expected=8, got=3");
    assertHolds(version, random, "after misuse");
  }

  @Test
  void errorsOfTheRowsPassThrough() {
    Iterable<LanceRow> failing =
        () ->
            Stream.<LanceRow>generate(
                    () -> {
                      throw new IllegalStateException("from the rows");
                    })
                .iterator();
    assertThatThrownBy(() -> store.write(uri, SCHEMA, 60, List.of(new RowIdRange(900, 1)), failing))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("from the rows");
  }

  @Test
  void useAfterCloseFails() {
    ModelVersion version = commit(empty(), LanceSamples.rows(new Random(15), 5), Map.of());
    long[] ids = {version.live().firstKey()};
    LanceReader closed = store.open(LanceAddress.local(uri), version.version());
    closed.close();
    closed.close();
    assertError(() -> closed.sources(ids), ErrorCode.CLOSED, "uri=" + uri);
    assertError(closed::rowCount, ErrorCode.CLOSED, "uri=" + uri);
    try (LanceReader open = store.open(LanceAddress.local(uri), version.version())) {
      store.close();
      assertError(() -> open.sources(ids), ErrorCode.CLOSED, "uri=" + uri);
      assertError(() -> open.vectors(1, DENSE, 5), ErrorCode.CLOSED, "uri=" + uri);
    }
    assertError(
        () -> store.open(LanceAddress.local(uri), version.version()),
        ErrorCode.CLOSED,
        "uri=" + uri);
    assertError(() -> store.create(uri + "2", SCHEMA), ErrorCode.CLOSED, "closed");
    assertError(() -> write(LanceSamples.rows(new Random(1), 1)), ErrorCode.CLOSED, "closed");
  }

  @Test
  void manyVersionsInTurnLeaveNothingOpen() throws IOException {
    Random random = new Random(16);
    List<ModelVersion> versions = new ArrayList<>();
    ModelVersion version = empty();
    for (int i = 0; i < 40; i++) { // more than stay open
      version = commit(version, LanceSamples.rows(random, 2), Map.of());
      versions.add(version);
    }
    for (int i = 0; i < 20; i++) {
      assertHolds(versions.get(random.nextInt(40)), random, "warm up");
    }
    long handles = handles();
    int threads = Thread.activeCount();
    for (int i = 0; i < 200; i++) {
      try (LanceStore other = LanceStore.open(MIB, MIB);
          LanceReader reader =
              other.open(LanceAddress.local(uri), versions.get(i % 40).version())) {
        assertThat(reader.rowCount()).isEqualTo(2L * (i % 40 + 1));
      }
    }
    assertThat(handles()).isLessThanOrEqualTo(handles + 5);
    assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 2);
  }

  private static long handles() throws IOException {
    Path open = Path.of("/proc/self/fd");
    if (!Files.isDirectory(open)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(open)) {
      return files.count();
    }
  }

  private static void assertError(ThrowingCallable call, ErrorCode code, String part) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LoamException.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
        .hasMessageContaining(part);
  }
}
