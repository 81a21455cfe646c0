package io.loam.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.SealedJson;
import io.loam.schema.TypeKind;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetastoreTest {
  @TempDir Path folder;
  private ObjectStore store;
  private Metastore metastore;

  @BeforeEach
  void open() {
    store = new LocalObjectStore(folder);
    metastore = new Metastore(store, "c1");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static void assertCode(ErrorCode code, Runnable use, String message) {
    assertThatThrownBy(use::run)
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @Test
  void headIsCreatedOnceAndSwappedByOne() {
    assertCode(ErrorCode.MISSING_OBJECT, metastore::head, "collections/c1/head");
    Tag tag = new Tag(1, "collections/c1/manifests/1", 77);
    Head first =
        new Head(1, "collections/c1/manifests/1", 2, 3, 1, new TreeMap<>(Map.of("v1", tag)));
    metastore.createHead(first);
    assertCode(ErrorCode.CONFLICT, () -> metastore.createHead(first), "taken");
    Versioned<Head> read = metastore.head();
    assertThat(read.value()).isEqualTo(first);
    Head second = first.withVersion(2, "collections/c1/manifests/2");
    Versioned<Head> swapped = metastore.swapHead(read, second).orElseThrow();
    assertThat(metastore.head()).isEqualTo(swapped);
    assertThat(swapped.value()).isEqualTo(second);
    assertThat(metastore.swapHead(read, second)).isEmpty();
    assertCode(ErrorCode.INTERNAL, () -> metastore.swapHead(swapped, first), "go back");
  }

  @Test
  void headOfTheFormatBeforeIsReadAndWrittenInThisOne() {
    byte[] before =
        SealedJson.seal(
            SealedJson.ofFormat(1)
                .put("version", 7)
                .put("manifest", "m7")
                .put("leaseEpoch", 2)
                .put("gcEpoch", 3)
                .put("write", "w"));
    store.putIfAbsent("collections/c1/head", before);
    assertThat(metastore.head().value()).isEqualTo(new Head(7, "m7", 2, 3, 1, new TreeMap<>()));
    metastore.updateHead(head -> head.collected(5));
    assertThat(metastore.head().value()).isEqualTo(new Head(7, "m7", 2, 4, 5, new TreeMap<>()));
    Versioned<Head> head = metastore.head();
    assertCode(
        ErrorCode.INTERNAL,
        () -> metastore.swapHead(head, new Head(7, "m7", 2, 4, 4, new TreeMap<>())),
        "go back");
  }

  @Test
  void updateWhoseAnswerIsLostIsDoneOnceItIsSeen() {
    metastore.createHead(Head.first("m"));
    try (UnsureStore unsure = new UnsureStore(store)) {
      unsure.failures = 1;
      Metastore retrying = new Metastore(unsure, "c1");
      retrying.updateHead(head -> head.withLeaseEpoch(4));
      assertThat(metastore.head().value().leaseEpoch()).isEqualTo(4);
      unsure.failures = 9;
      assertCode(
          ErrorCode.OUTCOME_UNKNOWN,
          () -> retrying.updateHead(head -> head.collected(1)),
          "answer was lost");
    }
  }

  /** Its parent would be itself, and whoever walks back would never come to an end. */
  @Test
  void manifestInAnothersPlaceIsDamage() {
    Manifest manifest = new RandomManifests(3).next();
    String path = metastore.writeManifest(manifest);
    String other = path.replaceFirst("/[0-9]{20}-", "/%020d-".formatted(manifest.version() + 1));
    store.putIfAbsent(other, store.get(path).orElseThrow().content());
    assertThat(metastore.readManifest(path)).isEqualTo(manifest);
    assertCode(ErrorCode.CORRUPT_OBJECT, () -> metastore.readManifest(other), "in another's place");
  }

  /** Whatever is kept in memory, a new statement sees what another process has committed. */
  @Test
  void p5_headIsAskedForEachTime() {
    metastore.createHead(Head.first("collections/c1/manifests/1"));
    Metastore other = metastore.uncached();
    for (int version = 2; version <= 50; version++) {
      Head next = metastore.head().value().withVersion(version, "collections/c1/manifests/x");
      assertThat(metastore.swapHead(metastore.head(), next)).isPresent();
      assertThat(other.head().value()).isEqualTo(next);
      assertThat(metastore.head().value()).isEqualTo(next);
    }
  }

  @Test
  void tagOfAHeadNeverComesBack() {
    Head head = Head.first("collections/c1/manifests/1");
    metastore.createHead(head);
    Versioned<Head> before = metastore.head();
    Versioned<Head> same = metastore.swapHead(before, head).orElseThrow();
    assertThat(same.tag()).isNotEqualTo(before.tag());
    assertThat(metastore.swapHead(before, head)).isEmpty();
  }

  @Test
  void everyDamagedByteOfHeadAndIdsIsNoticed() throws Exception {
    metastore.createHead(Head.first("collections/c1/manifests/1"));
    assertEveryByteMatters("collections/c1/head", metastore::head);
    assertEveryByteMatters("collections/c1/ids", () -> metastore.reserve(1, 1));
  }

  private void assertEveryByteMatters(String path, Runnable read) throws Exception {
    Path file = folder.resolve(path);
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < bytes.length; i++) {
      byte[] damaged = bytes.clone();
      damaged[i] ^= (byte) (1 << (i % 8));
      Files.write(file, damaged);
      assertCode(ErrorCode.CORRUPT_OBJECT, read, "path=" + path);
    }
    Files.write(file, bytes);
  }

  @Test
  void reservedIdsAreNobodyElses() throws Exception {
    metastore.createHead(Head.first("collections/c1/manifests/1"));
    assertThat(metastore.reserve(10, 2)).isEqualTo(new IdBlock(1, 10, 1, 2));
    assertThat(metastore.reserve(5, 1)).isEqualTo(new IdBlock(11, 5, 3, 1));
    List<IdBlock> blocks = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<IdBlock>> futures = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        int rows = 1 + i % 7;
        futures.add(threads.submit(() -> new Metastore(store, "c1").reserve(rows, 1)));
      }
      for (Future<IdBlock> future : futures) {
        blocks.add(future.get());
      }
    } finally {
      threads.shutdownNow();
    }
    BitSet rows = new BitSet();
    BitSet fragments = new BitSet();
    for (IdBlock block : blocks) {
      for (long row = block.firstRowId(); row < block.firstRowId() + block.rows(); row++) {
        assertThat(rows.get((int) row)).isFalse();
        rows.set((int) row);
      }
      assertThat(fragments.get(block.firstFragmentId())).isFalse();
      fragments.set(block.firstFragmentId());
    }
    assertThat(rows.nextSetBit(0)).isEqualTo(16);
  }

  @Test
  void fragmentIdsEndAt31Bits() {
    metastore.createHead(Head.first("collections/c1/manifests/1"));
    metastore.reserve(1, Integer.MAX_VALUE - 2);
    assertThat(metastore.reserve(1, 1).firstFragmentId()).isEqualTo(Integer.MAX_VALUE - 1);
    assertCode(ErrorCode.LIMIT_EXCEEDED, () -> metastore.reserve(1, 1), "fragment ids used up");
  }

  @Test
  void manifestsAndSchemasComeBackUnderFreshNames() {
    Manifest manifest = new RandomManifests(5).next();
    String path = metastore.writeManifest(manifest);
    assertThat(path).matches("collections/c1/manifests/\\d{20}-[0-9a-z]{26}\\.pb");
    assertThat(metastore.readManifest(path)).isEqualTo(manifest);
    assertThat(metastore.writeManifest(manifest)).isNotEqualTo(path);
    CollectionSchema schema =
        new SchemaBuilder().add("a", FieldType.of(TypeKind.TEXT), true, "", "").build();
    String schemaPath = metastore.writeSchema(schema);
    assertThat(schemaPath).matches("collections/c1/schemas/1-[0-9a-z]{26}\\.json");
    assertThat(metastore.readSchema(schemaPath)).isEqualTo(schema);
    assertCode(ErrorCode.MISSING_OBJECT, () -> metastore.readManifest("gone"), "path=gone");
  }

  @Test
  void writeOfUnknownOutcomeIsTriedAgainAndKnownByItsContent() {
    try (UnsureStore unsure = new UnsureStore(store)) {
      Metastore retrying = new Metastore(unsure, "c1");
      Manifest manifest = new RandomManifests(6).next();
      unsure.failures = 1;
      assertThat(retrying.readManifest(retrying.writeManifest(manifest))).isEqualTo(manifest);
      unsure.failures = 9;
      assertCode(
          ErrorCode.OUTCOME_UNKNOWN, () -> retrying.writeManifest(manifest), "answer was lost");
      unsure.failures = 0;
      retrying.createHead(Head.first("m"));
      unsure.failures = 1;
      assertThat(retrying.reserve(3, 1)).isEqualTo(new IdBlock(4, 3, 2, 1));
    }
  }
}
