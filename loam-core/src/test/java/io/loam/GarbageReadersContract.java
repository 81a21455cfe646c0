package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.query.Snapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** P5: who reads beside garbage collection reads one version, or gets the one error. */
abstract class GarbageReadersContract extends GarbageCase {

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
}
