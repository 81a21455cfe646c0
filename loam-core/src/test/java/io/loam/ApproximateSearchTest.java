package io.loam;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.column.Predicate;
import io.loam.commit.WriteBatch;
import io.loam.maintain.Part;
import io.loam.manifest.Manifest;
import io.loam.query.OutputColumn;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import io.loam.vector.Metric;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches by codes over splits, deletes and a tail, beside exact ones. */
class ApproximateSearchTest {
  private static final int DIMENSION = 96;
  private static final CollectionName DOCS = CollectionName.of("docs");

  @TempDir Path folder;

  private final Random random = new Random(23);
  private final Map<Long, float[]> model = new TreeMap<>();

  private static CollectionSchema schema() {
    return new SchemaBuilder()
        .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
        .add("part", FieldType.of(TypeKind.INTEGER), true, "", "")
        .add("embedding", FieldType.vector(DIMENSION), true, "", "cosine")
        .primaryKey("id")
        .build();
  }

  private float[] vector() {
    float[] vector = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] = (float) random.nextGaussian() + (i % 7 == 0 ? 1 : 0);
    }
    return vector;
  }

  private void insert(Collection docs, long from, long to) {
    WriteBatch batch = WriteBatch.create();
    for (long id = from; id < to; id++) {
      float[] vector = random.nextInt(20) == 0 ? null : vector();
      batch.upsert(id, (int) (id % 10), vector);
      model.put(id, vector);
    }
    docs.commit(batch);
  }

  /**
   * With a budget of 1 the vectors of candidates are read one by one, with the default whole
   * fragments are.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void p6p7_hitsAreExactAndHardlyOneIsMissed(long cacheBytes) {
    WarehouseOptions options =
        new WarehouseOptions(folder.resolve("w"), folder.resolve("c"), cacheBytes);
    try (Warehouse warehouse = Warehouse.open(options)) {
      Collection docs = warehouse.create(DOCS, schema());
      insert(docs, 0, 3_000);
      insert(docs, 3_000, 4_200);
      insert(docs, 4_200, 4_300);
      insert(docs, 2_900, 3_100); // replaces rows of both splits
      checkSearches(docs);
      docs.optimize(EnumSet.allOf(Part.class));
      Manifest manifest = docs.manifest(new VersionSpec.Latest());
      assertThat(manifest.splits()).hasSize(1).allMatch(split -> split.codes().containsKey(3));
      checkSearches(docs);
    }
  }

  private void checkSearches(Collection docs) {
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      int wanted = 0;
      int found = 0;
      for (int i = 0; i < 20; i++) {
        float[] query = vector();
        Optional<Predicate> filter =
            i % 2 == 0
                ? Optional.empty()
                : Optional.of(new Predicate.Compare(2, Predicate.Op.LT, 7));
        Set<Long> allowed =
            model.keySet().stream().filter(id -> filter.isEmpty() || id % 10 < 7).collect(toSet());
        List<Oracle.Scored> all = Oracle.cosine(model, allowed, query);
        List<Oracle.Scored> best = Oracle.top(all, 15);
        List<Oracle.Scored> hits = run(snapshot, query, filter, Precision.APPROXIMATE);
        assertThat(run(snapshot, query, filter, Precision.EXACT)).isEqualTo(best);
        assertThat(all).containsAll(hits);
        assertThat(hits).hasSize(15).isEqualTo(Oracle.top(hits, 15)).doesNotHaveDuplicates();
        wanted += 15;
        found += (int) best.stream().filter(hits::contains).count();
      }
      assertThat(found / (double) wanted).isGreaterThan(0.98);
    }
  }

  private static List<Oracle.Scored> run(
      Snapshot snapshot, float[] query, Optional<Predicate> filter, Precision precision) {
    Search search =
        new Search.Vector(
            3, query, Optional.of(Metric.COSINE), 15, filter, OptionalDouble.empty(), precision);
    SearchRequest request =
        SearchRequest.search(
            search, List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.SCORE)));
    return Reads.rows(snapshot, request).stream()
        .map(row -> new Oracle.Scored((Long) row[0], (Double) row[1]))
        .toList();
  }
}
