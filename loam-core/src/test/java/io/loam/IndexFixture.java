package io.loam;

import io.loam.column.Predicate;
import io.loam.commit.WriteBatch;
import io.loam.query.BatchCursor;
import io.loam.query.OutputColumn;
import io.loam.query.QueryProfile;
import io.loam.query.RowBatch;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import io.loam.vector.VectorQuery.Precision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;

/** Collections of clustered vectors, and searches of them. */
final class IndexFixture {
  static final CollectionName DOCS = CollectionName.of("docs");
  static final int VECTOR = 3;

  private final int dimension;
  private final float[][] centres;
  private final Random random;

  IndexFixture(int dimension, int clusters, long seed) {
    this.dimension = dimension;
    this.random = new Random(seed);
    this.centres = new float[clusters][dimension];
    for (float[] centre : centres) {
      for (int d = 0; d < dimension; d++) {
        centre[d] = (float) random.nextGaussian();
      }
    }
  }

  static CollectionSchema schema(int dimension, String metric) {
    return new SchemaBuilder()
        .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
        .add("part", FieldType.of(TypeKind.INTEGER), true, "", "")
        .add("embedding", FieldType.vector(dimension), true, "", metric)
        .primaryKey("id")
        .option("retention.minutes", "1000")
        .option("retention.versions", "1000")
        .build();
  }

  /** A vector near one of the centres. */
  float[] vector() {
    float[] vector = centres[random.nextInt(centres.length)].clone();
    for (int d = 0; d < dimension; d++) {
      vector[d] += 0.5f * (float) random.nextGaussian();
    }
    return vector;
  }

  /** Writes rows, one in 50 without a vector; those that are there are replaced. */
  void upsert(Collection docs, long from, long to, Map<Long, float[]> model) {
    WriteBatch batch = WriteBatch.create();
    for (long id = from; id < to; id++) {
      float[] vector = random.nextInt(50) == 0 ? null : vector();
      batch.upsert(id, (int) (id % 10), vector);
      model.put(id, vector);
    }
    docs.commit(batch);
  }

  static List<Oracle.Scored> search(
      Collection docs, float[] query, int k, Precision precision, QueryProfile profile) {
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      return search(snapshot, query, k, Optional.empty(), precision, profile);
    }
  }

  static List<Oracle.Scored> search(
      Snapshot snapshot,
      float[] query,
      int k,
      Optional<Predicate> filter,
      Precision precision,
      QueryProfile profile) {
    Search search =
        new Search.Vector(
            VECTOR, query, Optional.empty(), k, filter, OptionalDouble.empty(), precision);
    SearchRequest request =
        SearchRequest.search(
            search, List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.SCORE)));
    List<Oracle.Scored> hits = new ArrayList<>();
    try (BatchCursor cursor = snapshot.query(request, profile)) {
      for (RowBatch batch = cursor.next(); batch != null; batch = cursor.next()) {
        for (int i = 0; i < batch.size(); i++) {
          hits.add(
              new Oracle.Scored(
                  (Long) batch.columns().get(0).get(i), (Double) batch.columns().get(1).get(i)));
        }
      }
    }
    return hits;
  }
}
