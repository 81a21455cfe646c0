package io.loam.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.S3Locations;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.lance.CommittedVersion;
import io.loam.lance.LanceFiles;
import io.loam.lance.LanceReader;
import io.loam.lance.LanceRow;
import io.loam.lance.LanceSource;
import io.loam.lance.LanceStore;
import io.loam.lance.LanceVerification;
import io.loam.lance.LanceWorkspace;
import io.loam.lance.WrittenFragment;
import io.loam.manifest.FileRef;
import io.loam.manifest.RowIdRange;
import io.loam.s3testing.Fault;
import io.loam.s3testing.S3Server;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import io.loam.store.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Lance dataset in a bucket, read from copies and in place. */
class RemoteDatasetTest {
  private static final String COLLECTION = "collections/c1/";
  private static final int ROWS = 40;
  private static final CollectionSchema SCHEMA =
      new SchemaBuilder()
          .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
          .primaryKey("id")
          .build();

  @TempDir Path folder;
  private S3Server server;
  private ObjectStore store;
  private LanceStore lance;
  private FileRef manifest;
  private List<FileRef> data;
  private long version;

  @BeforeEach
  void write() {
    server = S3Server.start(folder.resolve("s3"));
    store = S3Locations.of(server, "wh").open();
    lance = LanceStore.open(1 << 20, 1 << 20);
    LanceFiles files = files(Long.MAX_VALUE, "writer");
    List<LanceRow> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(
          new LanceRow(
              ("k" + i).getBytes(StandardCharsets.UTF_8), "{\"n\":" + i + "}", new Object[0]));
    }
    FileRef empty;
    try (LanceWorkspace workspace = files.workspace()) {
      lance.create(workspace.uri(), SCHEMA);
      List<String> created = workspace.list();
      workspace.publish(created);
      empty =
          created.stream()
              .filter(p -> p.endsWith(".manifest"))
              .map(workspace::describe)
              .findFirst()
              .orElseThrow();
    }
    WrittenFragment fragment;
    try (LanceWorkspace workspace = files.workspace()) {
      fragment = lance.write(workspace.uri(), SCHEMA, 1, List.of(new RowIdRange(1, ROWS)), rows);
      data = fragment.files().stream().map(workspace::describe).toList();
      workspace.publish(fragment.files());
    }
    try (LanceWorkspace workspace = files.workspace()) {
      workspace.bring(List.of(empty));
      CommittedVersion committed =
          lance.commit(workspace.uri(), LanceStore.EMPTY_VERSION, List.of(fragment), Map.of());
      version = committed.version();
      manifest = workspace.describe(committed.manifestFile());
      workspace.publish(List.of(committed.manifestFile()));
    }
    server.takeSeen();
  }

  @AfterEach
  void close() {
    lance.close();
    store.close();
    server.close();
  }

  private LanceFiles files(long cacheBytes, String cache) {
    FileCache copies = new FileCache(folder.resolve(cache), cacheBytes);
    return LanceFiles.in(
        store, COLLECTION, LanceVerification.SMALL, lance, new CachedCopies(store, copies));
  }

  /** Without room for copies Lance reads in the bucket. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1 << 20})
  void rowsAreReadFromCopiesAndInTheBucket(long cacheBytes) {
    LanceFiles files = files(cacheBytes, "reader" + cacheBytes);
    try (LanceSource source = files.source(manifest, data)) {
      assertThat(source.address().uri().startsWith("s3://")).isEqualTo(cacheBytes == 0);
      assertThat(source.address().toString()).doesNotContain(S3Server.SECRET_ACCESS_KEY);
      try (LanceReader reader = lance.open(source.address(), version)) {
        source.require(() -> data);
        assertThat(reader.sources(new long[] {40, 1, 7}))
            .containsExactly("{\"n\":39}", "{\"n\":0}", "{\"n\":6}");
      }
    }
  }

  @Test
  void p10_damageIsNoticedBeforeLanceReadsInTheBucket() {
    FileRef other = new FileRef(data.get(0).path(), data.get(0).size(), ~data.get(0).crc32c());
    try (LanceSource source = files(0, "reader").source(manifest, data)) {
      assertFails(source, other, ErrorCode.CORRUPT_OBJECT);
      FileRef longer = new FileRef(other.path(), other.size() + 1, other.crc32c());
      assertFails(source, longer, ErrorCode.CORRUPT_OBJECT);
      FileRef missing = new FileRef(other.path() + "x", 1, 1);
      assertFails(source, missing, ErrorCode.MISSING_OBJECT);
    }
  }

  private static void assertFails(LanceSource source, FileRef file, ErrorCode code) {
    assertThatThrownBy(() -> source.require(() -> List.of(file)))
        .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(file.path());
  }

  /** Failing reads in the bucket are errors, not the end of the process, and show no keys. */
  @ParameterizedTest
  @ValueSource(strings = {"RESET", "ERROR_BEFORE", "THROTTLED", "TORN_ANSWER"})
  void failingReadsInTheBucketAreErrors(Fault fault) {
    LanceFiles files = files(0, "reader");
    try (LanceSource source = files.source(manifest, data)) {
      source.require(() -> data);
      try (LanceReader reader = lance.open(source.address(), version)) {
        server.plan(request -> fault);
        assertThatThrownBy(() -> reader.sources(new long[] {1}))
            .isInstanceOfSatisfying(
                LoamException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
            .hasMessageNotContainingAny(S3Server.ACCESS_KEY_ID, S3Server.SECRET_ACCESS_KEY);
        server.plan(request -> Fault.NONE);
        assertThat(reader.sources(new long[] {1})).containsExactly("{\"n\":0}");
      }
    }
  }

  @Test
  void anErrorThatRepeatsTheKeysIsCleaned() {
    LanceFiles files = files(0, "reader");
    try (LanceSource source = files.source(manifest, data);
        LanceReader reader = lance.open(source.address(), version)) {
      server.plan(request -> Fault.REFUSED_WITH_KEYS);
      assertThatThrownBy(() -> reader.sources(new long[] {1}))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
          .hasMessageNotContainingAny(S3Server.ACCESS_KEY_ID, S3Server.SECRET_ACCESS_KEY)
          .hasNoCause(); // its text repeats them
    }
  }
}
