package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.IndexFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.maintain.Part;
import io.loam.query.QueryProfile;
import io.loam.query.VersionSpec;
import io.loam.s3testing.S3Server;
import io.loam.vector.IndexKind;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Vector indexes in a bucket. */
class S3IndexTest {
  @TempDir Path folder;
  private final IndexFixture fixture = new IndexFixture(8, 10, 3);

  /**
   * Other processes are told the bucket on their command line and its keys in their environment.
   */
  @Test
  void p6_indexIsBuiltByOtherProcessesAndKeptUp() {
    Map<Long, float[]> model = new TreeMap<>();
    try (S3Server server = S3Server.start(folder.resolve("s3"))) {
      WarehouseOptions options =
          new WarehouseOptions(S3Locations.of(server, "a"), folder.resolve("cache"), 0);
      try (Warehouse warehouse = Warehouse.open(options.withBuildProcesses(2))) {
        Collection docs = warehouse.create(DOCS, IndexFixture.schema(8, "dot"));
        fixture.upsert(docs, 0, 2_000, model);
        docs.createIndex(
            "by_vector",
            "embedding",
            IndexKind.IVF_FLAT,
            Map.of("min_rows", "0", "nprobes", "65536", "max_segment_bytes", "65536"));
        check(docs, 2);
      }
      try (Warehouse warehouse = Warehouse.open(options)) {
        Collection docs = warehouse.get(DOCS);
        fixture.upsert(docs, 1_000, 1_010, model);
        fixture.upsert(docs, 2_000, 3_001, model);
        docs.rebuildIndex("by_vector");
        docs.optimize(EnumSet.allOf(Part.class));
        warehouse.collectGarbage(DOCS, AT_ONCE);
        check(docs, 3);
      }
    }
  }

  private void check(Collection docs, long segments) {
    float[] query = fixture.vector();
    QueryProfile profile = new QueryProfile();
    assertThat(IndexFixture.search(docs, query, 20, Precision.APPROXIMATE, profile))
        .isEqualTo(IndexFixture.search(docs, query, 20, Precision.EXACT, new QueryProfile()));
    assertThat(profile.counts()).containsEntry("segments of by_vector", segments);
    assertThat(docs.verify(new VersionSpec.Latest()).findings()).isEmpty();
  }
}
