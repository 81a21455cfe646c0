package io.loam;

import static io.loam.IndexFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.query.QueryProfile;
import io.loam.query.VersionSpec;
import io.loam.vector.IndexKind;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much of the exact answers indexes give at their defaults. */
class IndexRecallTest {
  private static final int DIMENSION = 128;

  @TempDir Path folder;

  @Test
  void recallOfSixteenThousandRows() {
    check(16_000, 50);
  }

  @Test
  @Tag("long")
  void recallOfAHundredThousandRows() {
    check(100_000, 200);
  }

  private void check(int rows, int queries) {
    IndexFixture fixture = new IndexFixture(DIMENSION, rows / 500, 17);
    Map<Long, float[]> model = new TreeMap<>();
    try (Warehouse warehouse =
        Warehouse.open(
            new WarehouseOptions(
                folder.resolve("warehouse"), folder.resolve("cache"), 400L << 20))) {
      Collection docs = warehouse.create(DOCS, IndexFixture.schema(DIMENSION, "l2"));
      for (int from = 0; from < rows; from += 4_000) {
        fixture.upsert(docs, from, from + 4_000, model);
      }
      List<float[]> questions = new ArrayList<>();
      List<List<Oracle.Scored>> exact = new ArrayList<>();
      for (int i = 0; i < queries; i++) {
        questions.add(fixture.vector());
        exact.add(search(docs, questions.get(i), Precision.EXACT));
      }
      for (IndexKind kind : IndexKind.values()) {
        double one = recall(docs, kind, 1, rows, questions, exact);
        double eight = recall(docs, kind, 8, rows, questions, exact);
        System.out.printf("%s: one segment %.4f, eight %.4f%n", kind.text(), one, eight);
        assertThat(one).as(kind.text()).isGreaterThanOrEqualTo(0.95);
        assertThat(eight).as(kind.text()).isBetween(one - 0.01, one + 0.01);
      }
      docs.createIndex("by_vector", "embedding", IndexKind.IVF_PQ, Map.of("min_rows", "0"));
      fixture.upsert(docs, rows, rows + rows / 10, model);
      exact.clear();
      questions.forEach(question -> exact.add(search(docs, question, Precision.EXACT)));
      double beside = found(docs, questions, exact);
      System.out.printf("ivf_pq beside rows that it does not cover: %.4f%n", beside);
      assertThat(beside).isGreaterThanOrEqualTo(0.95);
    }
  }

  private static double recall(
      Collection docs,
      IndexKind kind,
      int segments,
      int rows,
      List<float[]> questions,
      List<List<Oracle.Scored>> exact) {
    long bytes =
        switch (kind) {
          case IVF_FLAT -> 4 * DIMENSION + 16;
          case IVF_SQ -> 8 + 32 + DIMENSION + 8;
          case IVF_PQ -> 8 + DIMENSION / 4 + 4;
        };
    long segmentBytes = segments == 1 ? 1L << 30 : bytes * rows / segments + bytes;
    docs.createIndex(
        "by_vector",
        "embedding",
        kind,
        Map.of("min_rows", "0", "max_segment_bytes", String.valueOf(segmentBytes)));
    assertThat(docs.manifest(new VersionSpec.Latest()).index("by_vector").orElseThrow().segments())
        .hasSize(segments);
    double found = found(docs, questions, exact);
    docs.dropIndex("by_vector");
    return found;
  }

  /** The part of the exact answers that is found. */
  private static double found(
      Collection docs, List<float[]> questions, List<List<Oracle.Scored>> exact) {
    int found = 0;
    for (int i = 0; i < questions.size(); i++) {
      List<Oracle.Scored> hits = search(docs, questions.get(i), Precision.APPROXIMATE);
      found += (int) exact.get(i).stream().filter(hits::contains).count();
    }
    return found / (10.0 * questions.size());
  }

  private static List<Oracle.Scored> search(Collection docs, float[] query, Precision precision) {
    return IndexFixture.search(docs, query, 10, precision, new QueryProfile());
  }
}
