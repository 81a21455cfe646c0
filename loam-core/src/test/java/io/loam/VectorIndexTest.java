package io.loam;

import static io.loam.IndexFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.column.Predicate;
import io.loam.maintain.Part;
import io.loam.manifest.VectorIndexRef;
import io.loam.query.QueryProfile;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.vector.IndexKind;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vector indexes: made, searched, dropped. */
class VectorIndexTest {
  private static final int ROWS = 4_000;

  @TempDir Path folder;
  private Warehouse warehouse;
  private final Map<Long, float[]> model = new TreeMap<>();

  @BeforeEach
  void open() {
    warehouse =
        Warehouse.open(
            new WarehouseOptions(folder.resolve("warehouse"), folder.resolve("cache"), 0));
  }

  @AfterEach
  void close() {
    warehouse.close();
  }

  private static VectorIndexRef index(Collection docs) {
    return docs.manifest(new VersionSpec.Latest()).index("by_vector").orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "IVF_FLAT,l2,24,1", "IVF_FLAT,cosine,70,4", "IVF_FLAT,dot,9,4",
    "IVF_SQ,l2,70,4", "IVF_SQ,cosine,24,1", "IVF_SQ,cosine,96,4",
    "IVF_PQ,l2,24,4", "IVF_PQ,cosine,96,1", "IVF_PQ,dot,64,4"
  })
  void p6p7_hitsHaveExactScoresAndAreEnough(
      IndexKind kind, String metric, int dimension, int parts) {
    IndexFixture fixture = new IndexFixture(dimension, 40, 3);
    Collection docs = warehouse.create(DOCS, IndexFixture.schema(dimension, metric));
    fixture.upsert(docs, 0, ROWS / 2, model);
    fixture.upsert(docs, ROWS / 2, ROWS, model);
    GarbageFixture.delete(docs, Set.of(5L, 6L, 7L));
    Set.of(5L, 6L, 7L).forEach(model::remove);
    docs.createIndex(
        "by_vector",
        "embedding",
        kind,
        Map.of(
            "min_rows", "0",
            "partitions", "16",
            "max_segment_bytes", String.valueOf(Math.max(65_536, bytes(kind, dimension) / parts))));
    if (parts > 1) {
      assertThat(index(docs).segments()).hasSizeGreaterThan(1);
    }
    // Rows that no segment covers, rows that were replaced and deleted since.
    fixture.upsert(docs, ROWS, ROWS + 1_200, model);
    fixture.upsert(docs, ROWS - 50, ROWS + 50, model);
    Set<Long> gone =
        LongStream.range(100, 130).boxed().collect(java.util.stream.Collectors.toSet());
    GarbageFixture.delete(docs, gone);
    gone.forEach(model::remove);
    double recall = checkSearches(docs, fixture);
    assertThat(recall).isGreaterThan(kind == IndexKind.IVF_PQ ? 0.9 : 0.97);
    docs.optimize(EnumSet.allOf(Part.class));
    assertThat(checkSearches(docs, fixture)).isGreaterThan(0.9);
    assertThat(docs.verify(new VersionSpec.Latest()).findings()).isEmpty();
  }

  /** Codes of one training mean nothing under another. */
  @Test
  void segmentsAreSearchedByTheTrainingOfEach() {
    Collection docs = warehouse.create(DOCS, IndexFixture.schema(8, "l2"));
    new IndexFixture(8, 10, 4).upsert(docs, 0, 2_000, model);
    docs.createIndex(
        "by_vector",
        "embedding",
        IndexKind.IVF_SQ,
        Map.of("min_rows", "0", "partitions", "16", "nprobes", "16"));
    IndexFixture others = new IndexFixture(8, 10, 5);
    others.upsert(docs, 2_000, 22_500, model);
    docs.optimize(Set.of(Part.INDEXES));
    assertThat(index(docs).segments().stream().map(s -> s.training()).distinct()).hasSize(2);
    int found = 0;
    for (int i = 0; i < 20; i++) {
      float[] query = others.vector();
      List<Oracle.Scored> exact =
          IndexFixture.search(docs, query, 10, Precision.EXACT, new QueryProfile());
      List<Oracle.Scored> hits =
          IndexFixture.search(docs, query, 10, Precision.APPROXIMATE, new QueryProfile());
      found += (int) exact.stream().filter(hits::contains).count();
    }
    assertThat(found).isGreaterThanOrEqualTo(190);
  }

  private static long bytes(IndexKind kind, int dimension) {
    return switch (kind) {
      case IVF_FLAT -> ROWS * (4L * dimension + 16);
      case IVF_SQ -> ROWS * (dimension + 24L + dimension / 8);
      case IVF_PQ -> ROWS * (dimension / 4 + 12L);
    };
  }

  /** The part of the best hits that are found. */
  private double checkSearches(Collection docs, IndexFixture fixture) {
    int wanted = 0;
    int found = 0;
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      for (int i = 0; i < 30; i++) {
        float[] query = fixture.vector();
        int k = i % 3 == 0 ? 100 : 10;
        Optional<Predicate> filter =
            i % 2 == 0
                ? Optional.empty()
                : Optional.of(new Predicate.Compare(2, Predicate.Op.LT, i % 10));
        QueryProfile profile = new QueryProfile();
        List<Oracle.Scored> exact =
            IndexFixture.search(snapshot, query, k, filter, Precision.EXACT, new QueryProfile());
        List<Oracle.Scored> hits =
            IndexFixture.search(snapshot, query, k, filter, Precision.APPROXIMATE, profile);
        if (filter.isEmpty()) {
          assertThat(profile.counts().get("rows of lists")).as("%s", profile).isPositive();
          assertThat(profile.counts()).containsEntry("rows of no segment", 1_250L);
        }
        assertThat(hits).hasSameSizeAs(exact).isEqualTo(Oracle.top(hits, k));
        assertThat(hits).doesNotHaveDuplicates();
        wanted += exact.size();
        found += (int) exact.stream().filter(hits::contains).count();
        List<Oracle.Scored> all =
            IndexFixture.search(
                snapshot, query, 10_000, filter, Precision.EXACT, new QueryProfile());
        assertThat(all).containsAll(hits);
      }
    }
    return found / (double) wanted;
  }
}
