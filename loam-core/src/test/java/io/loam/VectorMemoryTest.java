package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.WriteBatch;
import io.loam.query.BatchCursor;
import io.loam.query.OutputColumn;
import io.loam.query.QueryProfile;
import io.loam.query.RowBatch;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which vectors are decoded and kept in memory, and that hits do not depend on it. */
class VectorMemoryTest {
  private static final int DIMENSION = 96;
  private static final int ROWS = 6_000;
  private static final long BYTES_OF_FIELD = (long) ROWS * DIMENSION * Float.BYTES;
  private static final CollectionName DOCS = CollectionName.of("docs");

  /** For one field's vectors and codes; for two without anything else. */
  private static final long TIGHT = 2 * BYTES_OF_FIELD + 100_000;

  private static final int V = 2;
  private static final int W = 3;

  @TempDir Path folder;

  private final Random random = new Random(31);
  private final Map<Integer, List<float[]>> stored =
      Map.of(V, new ArrayList<>(), W, new ArrayList<>());

  @BeforeEach
  void fill() {
    try (Warehouse warehouse = open(0)) {
      Collection docs =
          warehouse.create(
              DOCS,
              new SchemaBuilder()
                  .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
                  .add("v", FieldType.vector(DIMENSION), true, "", "l2")
                  .add("w", FieldType.vector(DIMENSION), true, "", "l2")
                  .primaryKey("id")
                  .build());
      WriteBatch batch = WriteBatch.create();
      for (long id = 0; id < ROWS; id++) {
        stored.get(V).add(vector());
        stored.get(W).add(vector());
        batch.upsert(id, stored.get(V).get((int) id), stored.get(W).get((int) id));
      }
      docs.commit(batch);
    }
  }

  private Warehouse open(long cacheBytes) {
    return Warehouse.open(
        new WarehouseOptions(folder.resolve("w"), folder.resolve("c"), cacheBytes));
  }

  private float[] vector() {
    float[] vector = new float[DIMENSION];
    for (int d = 0; d < DIMENSION; d++) {
      vector[d] = (float) random.nextGaussian();
    }
    return vector;
  }

  /** Near one vector, so that codes rule most others out. */
  private float[] query(List<float[]> stored) {
    float[] query = stored.get(random.nextInt(ROWS)).clone();
    query[0] += 0.1f;
    return query;
  }

  /** Two fields, of which one has room: decoding what is asked for each time would take longer. */
  @Test
  void searchesThatTakeTurnsReadVectorsOneByOne() {
    List<float[]> queries = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      queries.add(query(stored.get(field(i))));
    }
    List<List<Object>> ample = new ArrayList<>();
    List<List<Object>> tight = new ArrayList<>();
    long decoded = run(100 * BYTES_OF_FIELD, queries, ample);
    assertThat(run(TIGHT, queries, tight)).isLessThanOrEqualTo(decoded + 4);
    assertThat(tight).isEqualTo(ample);
  }

  private static int field(int i) {
    return i % 2 == 0 ? V : W;
  }

  /** Decoded values of searches of both fields in turn. */
  private long run(long cacheBytes, List<float[]> queries, List<List<Object>> hits) {
    long decoded = 0;
    try (Warehouse warehouse = open(cacheBytes);
        Snapshot snapshot = warehouse.get(DOCS).snapshot(new VersionSpec.Latest())) {
      for (int i = 0; i < queries.size(); i++) {
        QueryProfile profile = new QueryProfile();
        hits.add(search(snapshot, field(i), queries.get(i), 1, profile));
        decoded += profile.counts().getOrDefault("decoded", 0L);
      }
    }
    return decoded;
  }

  /** What is asked for again and again takes the room of what is not. */
  @Test
  void vectorsThatAreWantedOftenStayInTheEnd() {
    try (Warehouse warehouse = open(TIGHT);
        Snapshot snapshot = warehouse.get(DOCS).snapshot(new VersionSpec.Latest())) {
      for (int i = 0; i < 3; i++) {
        search(snapshot, V, query(stored.get(V)), 2, new QueryProfile());
      }
      QueryProfile last = new QueryProfile();
      for (int i = 0; i < 200; i++) {
        last = new QueryProfile();
        search(snapshot, W, query(stored.get(W)), 2, last);
      }
      // Codes, vectors of three rounds, the column of ids.
      assertThat(last.counts()).containsEntry("decoded", 0L).containsEntry("cache hits", 5L);
    }
  }

  private static List<Object> search(
      Snapshot snapshot, int field, float[] query, int k, QueryProfile profile) {
    Search search =
        new Search.Vector(
            field,
            query,
            Optional.empty(),
            k,
            Optional.empty(),
            OptionalDouble.empty(),
            Precision.APPROXIMATE);
    SearchRequest request =
        SearchRequest.search(
            search, List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.SCORE)));
    List<Object> hits = new ArrayList<>();
    try (BatchCursor cursor = snapshot.query(request, profile)) {
      for (RowBatch batch = cursor.next(); batch != null; batch = cursor.next()) {
        for (int i = 0; i < batch.size(); i++) {
          hits.add(batch.columns().get(0).get(i));
          hits.add(batch.columns().get(1).get(i));
        }
      }
    }
    return hits;
  }
}
