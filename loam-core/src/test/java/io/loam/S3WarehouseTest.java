package io.loam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.manifest.Manifest;
import io.loam.query.OutputColumn;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.s3testing.Fault;
import io.loam.s3testing.S3Server;
import io.loam.s3testing.SeenRequest;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Warehouses in a bucket. */
class S3WarehouseTest {
  private static final CollectionName DOCS = CollectionName.of("docs");

  @TempDir Path folder;
  private S3Server server;

  @BeforeEach
  void start() {
    server = S3Server.start(folder.resolve("s3"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private WarehouseOptions options(String cache) {
    return new WarehouseOptions(S3Locations.of(server, "a/b"), folder.resolve(cache), 0);
  }

  private static Collection createDocs(Warehouse warehouse) {
    CollectionSchema schema =
        new SchemaBuilder()
            .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
            .add("body", FieldType.of(TypeKind.TEXT), true, "whitespace", "")
            .primaryKey("id")
            .build();
    return warehouse.create(DOCS, schema);
  }

  private static WriteBatch rows(long first, int count) {
    WriteBatch batch = WriteBatch.create();
    for (long id = first; id < first + count; id++) {
      batch.insert(id, "word w" + id);
    }
    return batch;
  }

  private static List<Object[]> scan(Warehouse warehouse) {
    try (Snapshot snapshot = warehouse.get(DOCS).snapshot(new VersionSpec.Latest())) {
      return Reads.rows(
          snapshot, SearchRequest.scan(List.of(OutputColumn.field(1), OutputColumn.field(2))));
    }
  }

  /** What a request asked for: a file's folder or name, without ids. */
  private static String kind(SeenRequest request) {
    String inCollection = request.key().replaceFirst("^a/b/(collections/[0-9a-z]+/)?", "");
    return request.method()
        + " "
        + inCollection.replaceFirst("/[^/]*$", "").replaceFirst("^catalog/.*", "catalog");
  }

  private List<String> takeKinds() {
    return server.takeSeen().stream().map(S3WarehouseTest::kind).toList();
  }

  @Test
  void aSmallCommitAsksForTheHeadAndWritesFourObjects() {
    try (Warehouse warehouse = Warehouse.open(options("cache"))) {
      Collection docs = createDocs(warehouse);
      docs.commit(rows(0, 1)); // reserves ids for the next ones
      server.takeSeen();
      docs.commit(rows(1, 1));
      assertThat(takeKinds())
          .containsExactly("GET head", "PUT tail", "PUT keys", "PUT manifests", "PUT head");
      assertThat(scan(warehouse)).hasSize(2);
    }
  }

  @Test
  void aColdReaderAsksForEachFileOnce() {
    try (Warehouse warehouse = Warehouse.open(options("cache"))) {
      Collection docs = createDocs(warehouse);
      docs.commit(rows(0, 2_000));
      docs.commit(rows(2_000, 3));
    }
    server.takeSeen();
    try (Warehouse warehouse = Warehouse.open(options("cold"))) {
      assertThat(scan(warehouse)).hasSize(2_003);
      assertThat(takeKinds())
          .containsExactlyInAnyOrder(
              "GET catalog",
              "GET head",
              "GET manifests",
              "GET schemas",
              "GET lance/_versions",
              "GET tail",
              "GET text", // columns
              "GET lance/data"); // bodies
      assertThat(scan(warehouse)).hasSize(2_003);
      assertThat(takeKinds()).containsExactly("GET catalog", "GET head");
    }
    try (Warehouse warehouse = Warehouse.open(options("cold"))) {
      assertThat(scan(warehouse)).hasSize(2_003);
      assertThat(takeKinds())
          .containsExactly("GET catalog", "GET head", "GET manifests", "GET schemas", "GET tail");
    }
  }

  @ParameterizedTest
  @CsvSource({"1005, .lance", "5, .arrow"})
  void p10_aDamagedObjectIsNamed(int rows, String suffix) throws IOException {
    try (Warehouse warehouse = Warehouse.open(options("cache"))) {
      createDocs(warehouse).commit(rows(0, rows));
    }
    Path data;
    try (Stream<Path> files = Files.walk(folder.resolve("s3"))) {
      data = files.filter(f -> f.toString().endsWith(suffix)).findFirst().orElseThrow();
    }
    byte[] content = Files.readAllBytes(data);
    content[content.length / 2] ^= 1;
    Files.write(data, content);
    assertNamed("damaged", ErrorCode.CORRUPT_OBJECT, data);
    Files.write(data, new byte[] {1, 2, 3});
    assertNamed("short", ErrorCode.CORRUPT_OBJECT, data);
    Files.delete(data);
    assertNamed("missing", ErrorCode.MISSING_OBJECT, data);
  }

  private void assertNamed(String cache, ErrorCode code, Path file) {
    try (Warehouse warehouse = Warehouse.open(options(cache))) {
      assertThatThrownBy(() -> scan(warehouse))
          .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
          .hasMessageContaining(file.getFileName().toString());
    }
  }

  @Test
  void p5p6p7p8_everyVersionAnswersAsTheModel() {
    CollectionModelTest.run(options("cache"), 5, 27);
  }

  @Test
  void p2_everyInsertOfManyWritersLandsExactlyOnce() throws Exception {
    ConcurrentWritersTest.run(options("cache"), 6);
  }

  /** P2, P3: every acknowledged row is there once, whatever fails on the way. */
  @Test
  void p2p3_everyInsertLandsExactlyOnceThoughRequestsFail() throws Exception {
    Random random = new Random(31);
    List<Fault> faults =
        List.of(
            Fault.RESET,
            Fault.ERROR_BEFORE,
            Fault.ERROR_AFTER,
            Fault.LOST_REPLY,
            Fault.THROTTLED,
            Fault.CONFLICT,
            Fault.LATE,
            Fault.TORN_ANSWER,
            Fault.CUT_HEADERS);
    server.plan(
        request -> {
          synchronized (random) {
            return random.nextInt(10) == 0 ? faults.get(random.nextInt(faults.size())) : Fault.NONE;
          }
        });
    ConcurrentWritersTest.run(options("cache"), 4);
  }

  @Test
  void temporaryFilesGoWithTheirStatements() throws IOException {
    try (Warehouse warehouse = Warehouse.open(options("cache"))) {
      Collection docs = createDocs(warehouse);
      for (int i = 0; i < 10; i++) {
        docs.commit(rows(i, 1));
        assertThat(scan(warehouse)).hasSize(i + 1);
      }
      List<Manifest> manifests = docs.manifests();
      assertThat(manifests).hasSize(11);
    }
    try (Stream<Path> left = Files.list(folder.resolve("cache/tmp"))) {
      assertThat(left).isEmpty();
    }
  }
}
