package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.column.Predicate;
import io.loam.commit.WriteBatch;
import io.loam.maintain.Part;
import io.loam.maintain.Step;
import io.loam.query.Aggregation;
import io.loam.query.Fusion;
import io.loam.query.OutputColumn;
import io.loam.query.QueryProfile;
import io.loam.query.RowBatch;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.Field;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import io.loam.text.QuerySyntax;
import io.loam.text.TextQueries;
import io.loam.vector.VectorQuery;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random writes against a map of documents: P5, P6, P7, P8 and every version's content. */
class CollectionModelTest {
  private static final int DIMENSION = 12;
  private static final List<String> LANGUAGES = List.of("de", "en", "fr", "日本", "é\"'");

  @TempDir Path folder;

  private static CollectionSchema schema() {
    return new SchemaBuilder()
        .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
        .add("body", FieldType.of(TypeKind.TEXT), true, "whitespace", "")
        .add("lang", FieldType.of(TypeKind.VARCHAR), true, "", "")
        .add("year_", FieldType.of(TypeKind.INTEGER), true, "", "")
        .add("price", FieldType.of(TypeKind.DOUBLE), true, "", "")
        .add("paid", FieldType.decimal(12, 2), true, "", "")
        .add("born", FieldType.of(TypeKind.DATE), true, "", "")
        .add("seen", FieldType.of(TypeKind.TIMESTAMP), true, "", "")
        .add("ok", FieldType.of(TypeKind.BOOLEAN), true, "", "")
        .add("ref", FieldType.of(TypeKind.UUID), true, "", "")
        .add("tags", FieldType.of(TypeKind.VARCHAR_ARRAY), true, "", "")
        .add("extra", FieldType.of(TypeKind.JSON), true, "", "")
        .add("embedding", FieldType.vector(DIMENSION), true, "", "cosine")
        .add("terms", FieldType.of(TypeKind.SPARSEVECTOR), true, "", "")
        .primaryKey("id")
        .build();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void p5p6p7p8_everyVersionAnswersAsTheModel(long seed) {
    run(new WarehouseOptions(folder.resolve("w" + seed), folder.resolve("cache"), 0), seed, 90);
  }

  /** Random changes in a new warehouse, each version checked. */
  static void run(WarehouseOptions options, long seed, int steps) {
    Random random = new Random(seed);
    List<Map<Long, Object[]>> versions = new ArrayList<>();
    versions.add(new TreeMap<>());
    try (Warehouse warehouse = Warehouse.open(options)) {
      Collection docs = warehouse.create(CollectionName.of("docs"), schema());
      for (int step = 0; step < steps; step++) {
        Map<Long, Object[]> model = new TreeMap<>(versions.get(versions.size() - 1));
        WriteBatch batch = change(random, docs, model, step);
        long version = docs.commit(batch).version();
        if (version == versions.size() + 1) {
          versions.add(model);
        } else {
          assertThat(model.keySet()).isEqualTo(versions.get(versions.size() - 1).keySet());
        }
        if (step % 9 == 8) {
          checkAll(docs, random, versions, versions.size());
        }
        if (step % 13 == 6) {
          optimize(docs, random, versions);
        }
      }
      for (int i = 0; i < 15; i++) {
        checkAll(docs, random, versions, 1 + random.nextInt(versions.size()));
      }
    }
    try (Warehouse warehouse = Warehouse.open(options)) {
      Collection docs = warehouse.get(CollectionName.of("DOCS"));
      for (int version : new int[] {1, versions.size() / 2, versions.size()}) {
        checkAll(docs, random, versions, version);
      }
    }
  }

  /** Maintenance makes versions with the same documents, and none where all is well. */
  private static void optimize(Collection docs, Random random, List<Map<Long, Object[]>> versions) {
    Set<Part> parts =
        random.nextBoolean()
            ? Set.of(Part.values())
            : Set.of(List.of(Part.values()).get(random.nextInt(Part.values().length)));
    for (Step step : docs.optimize(parts)) {
      if (step.version() > 0) {
        versions.add(versions.get(versions.size() - 1));
        assertThat(step.version()).as(step.toString()).isEqualTo(versions.size());
      }
    }
    checkAll(docs, random, versions, versions.size());
    assertThat(docs.optimize(parts)).isEmpty();
  }

  /** Makes a random change in the model, and the batch that asks for the same. */
  private static WriteBatch change(
      Random random, Collection docs, Map<Long, Object[]> model, int step) {
    List<Long> keys = new ArrayList<>(model.keySet());
    int kind = keys.isEmpty() ? 0 : random.nextInt(10);
    if (kind < 5) {
      WriteBatch batch = WriteBatch.create();
      int rows = step % 20 == 3 ? 1_300 : 1 + random.nextInt(25);
      for (int i = 0; i < rows; i++) {
        Object[] row = row(random, random.nextInt(1_000_000) * 1_000L + step);
        if (model.putIfAbsent((Long) row[0], row) == null) {
          batch.insert(row.clone());
        }
      }
      return batch;
    }
    if (kind < 7) {
      WriteBatch batch = WriteBatch.create();
      for (int i = 0; i < 1 + random.nextInt(10); i++) {
        Object[] row = row(random, keys.get(random.nextInt(keys.size())));
        model.put((Long) row[0], row);
        batch.upsert(row.clone());
      }
      return batch;
    }
    Map<Long, Long> rowIds = rowIds(docs);
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      WriteBatch batch = WriteBatch.basedOn(snapshot.version());
      int rows = step % 15 == 7 ? keys.size() / 5 : 1 + random.nextInt(20);
      Set<Long> touched = new HashSet<>();
      for (int i = 0; i < rows; i++) {
        long key = keys.get(random.nextInt(keys.size()));
        if (!touched.add(key)) {
          continue;
        }
        if (kind == 7) {
          Object[] row = row(random, key);
          model.put(key, row);
          batch.replace(rowIds.get(key), row.clone());
        } else {
          model.remove(key);
          batch.delete(rowIds.get(key));
        }
      }
      return batch;
    }
  }

  private static Map<Long, Long> rowIds(Collection docs) {
    Map<Long, Long> rowIds = new TreeMap<>();
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      List<OutputColumn> output =
          List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.ROW_ID));
      for (Object[] r : Reads.rows(snapshot, SearchRequest.scan(output))) {
        rowIds.put((Long) r[0], (Long) r[1]);
      }
    }
    return rowIds;
  }

  private static Object[] row(Random random, long id) {
    Object[] row = new Object[14];
    row[0] = id;
    row[1] = random.nextInt(20) == 0 ? null : text(random);
    row[2] = random.nextInt(10) == 0 ? null : LANGUAGES.get(random.nextInt(LANGUAGES.size()));
    row[3] = random.nextInt(10) == 0 ? null : 1950 + random.nextInt(70);
    row[4] = random.nextInt(10) == 0 ? null : random.nextInt(1000) / 8.0;
    row[5] = random.nextInt(10) == 0 ? null : BigDecimal.valueOf(random.nextInt(100_000), 2);
    row[6] =
        random.nextInt(10) == 0 ? null : LocalDate.of(1900, 1, 1).plusDays(random.nextInt(60_000));
    row[7] =
        random.nextInt(10) == 0
            ? null
            : LocalDateTime.of(1969, 12, 31, 23, 59)
                .plusNanos(random.nextInt(1_000_000_000) * 1_000L);
    row[8] = random.nextInt(10) == 0 ? null : random.nextBoolean();
    row[9] = random.nextInt(10) == 0 ? null : new UUID(random.nextLong(), random.nextLong());
    row[10] =
        random.nextInt(10) == 0 ? null : LANGUAGES.subList(0, random.nextInt(LANGUAGES.size()));
    row[11] = random.nextInt(3) == 0 ? null : "{\"n\":" + random.nextInt(100) + "}";
    row[12] = random.nextInt(10) == 0 ? null : vector(random);
    row[13] = random.nextInt(10) == 0 ? null : sparse(random);
    return row;
  }

  private static String text(Random random) {
    int words = random.nextInt(30) == 0 ? 200 : random.nextInt(12);
    return random.ints(words, 0, 1).mapToObj(i -> word(random)).collect(Collectors.joining(" "));
  }

  private static String word(Random random) {
    return "w" + (int) (Math.pow(random.nextDouble(), 3) * 60);
  }

  private static float[] vector(Random random) {
    float[] v = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      v[i] = random.nextInt(5) == 0 ? 0 : (float) random.nextGaussian();
    }
    return v;
  }

  private static SparseVector sparse(Random random) {
    TreeSet<Integer> indices = new TreeSet<>(Integer::compareUnsigned);
    for (int i = random.nextInt(8); i > 0; i--) {
      indices.add(random.nextInt(10) == 0 ? -1 - random.nextInt(3) : random.nextInt(40));
    }
    float[] values = new float[indices.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (1 + random.nextInt(50)) / 7f * (random.nextInt(6) == 0 ? -1 : 1);
    }
    return new SparseVector(indices.stream().mapToInt(Integer::intValue).toArray(), values);
  }

  private static void checkAll(
      Collection docs, Random random, List<Map<Long, Object[]>> versions, int version) {
    Map<Long, Object[]> model = versions.get(version - 1);
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.At(version))) {
      assertThat(snapshot.liveDocuments()).isEqualTo(model.size());
      checkScan(snapshot, model);
      checkGroups(snapshot, model, List.of());
      checkGroups(snapshot, model, List.of(2));
      checkGroups(snapshot, model, List.of(8, 3, 2));
      checkGroups(snapshot, model, List.of(6, 3, 0));
      for (int i = 0; i < 4; i++) {
        checkSearches(snapshot, random, model);
      }
    }
  }

  private static void checkScan(Snapshot snapshot, Map<Long, Object[]> model) {
    List<OutputColumn> output =
        snapshot.schema().fields().stream().map(f -> OutputColumn.field(f.number())).toList();
    Map<Long, Object[]> scanned = new TreeMap<>();
    for (Object[] row : Reads.rows(snapshot, SearchRequest.scan(output))) {
      assertThat(scanned.put((Long) row[0], row)).isNull();
    }
    assertThat(scanned.keySet()).isEqualTo(model.keySet());
    scanned.forEach((key, row) -> assertThat(row).as("key %s", key).isEqualTo(model.get(key)));
  }

  /** Groups by columns of the model, with every function over year and language. */
  private static void checkGroups(
      Snapshot snapshot, Map<Long, Object[]> model, List<Integer> columns) {
    List<Field> fields = snapshot.schema().fields();
    List<Aggregation.Call> calls = new ArrayList<>();
    calls.add(new Aggregation.Call(Aggregation.Function.COUNT_ROWS, 0));
    calls.add(new Aggregation.Call(Aggregation.Function.SUM, fields.get(3).number()));
    for (int column : new int[] {3, 2}) {
      for (Aggregation.Function function :
          List.of(Aggregation.Function.COUNT, Aggregation.Function.MIN, Aggregation.Function.MAX)) {
        calls.add(new Aggregation.Call(function, fields.get(column).number()));
      }
    }
    Aggregation aggregation =
        new Aggregation(columns.stream().map(c -> fields.get(c).number()).toList(), calls);
    RowBatch found =
        snapshot.aggregate(SearchRequest.scan(List.of()), aggregation, new QueryProfile());
    Set<List<Object>> rows = new HashSet<>();
    for (int row = 0; row < found.size(); row++) {
      int r = row;
      assertThat(rows.add(Arrays.asList(found.columns().stream().map(c -> c.get(r)).toArray())))
          .isTrue();
    }
    Map<List<Object>, List<Object[]>> groups = new HashMap<>();
    if (columns.isEmpty()) {
      groups.put(List.of(), new ArrayList<>());
    }
    for (Object[] row : model.values()) {
      groups
          .computeIfAbsent(
              Arrays.asList(columns.stream().map(c -> whole(row[c])).toArray()),
              k -> new ArrayList<>())
          .add(row);
    }
    Set<List<Object>> expected = new HashSet<>();
    groups.forEach(
        (key, members) -> {
          List<Object> row = new ArrayList<>(key);
          List<Long> years = values(members, 3);
          List<String> languages = values(members, 2);
          row.add((long) members.size());
          row.add(years.isEmpty() ? null : years.stream().mapToLong(y -> y).sum());
          for (List<? extends Comparable<?>> values : List.of(years, languages)) {
            row.add((long) values.size());
            List<Object> sorted = new ArrayList<>(values.stream().sorted().toList());
            row.add(sorted.isEmpty() ? null : sorted.get(0));
            row.add(sorted.isEmpty() ? null : sorted.get(sorted.size() - 1));
          }
          expected.add(row);
        });
    assertThat(rows).isEqualTo(expected);
  }

  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals"
  }) // the caller knows the column's type
  private static <T> List<T> values(List<Object[]> rows, int column) {
    return (List<T>) rows.stream().map(r -> whole(r[column])).filter(Objects::nonNull).toList();
  }

  /** The value as grouping gives it. */
  private static Object whole(Object value) {
    if (value instanceof Boolean b) {
      return b ? 1L : 0L;
    }
    if (value instanceof LocalDate date) {
      return date.toEpochDay();
    }
    return value instanceof Number n ? (Object) n.longValue() : value;
  }

  private static void checkSearches(Snapshot snapshot, Random random, Map<Long, Object[]> model) {
    int bound = 1950 + random.nextInt(75);
    boolean filtered = random.nextBoolean();
    Set<Long> allowed = new TreeSet<>();
    model.forEach(
        (key, row) -> {
          if (!filtered || (row[3] != null && (Integer) row[3] >= bound)) {
            allowed.add(key);
          }
        });
    Optional<Predicate> filter =
        filtered
            ? Optional.of(new Predicate.Compare(field(snapshot, "year_"), Predicate.Op.GE, bound))
            : Optional.empty();
    int k = List.of(1, 3, 10, 200).get(random.nextInt(4));
    Map<Long, String> texts = column(model, 1, "");
    Set<String> words = new TreeSet<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      words.add(word(random));
    }
    List<Oracle.Scored> text = Oracle.top(Oracle.bm25(texts, allowed, words), k);
    assertThat(run(snapshot, text(snapshot, String.join(" ", words), false, k, filter)))
        .isEqualTo(text);
    assertThat(run(snapshot, text(snapshot, String.join(" ", words), true, k, filter)))
        .isEqualTo(Oracle.top(Oracle.bm25All(texts, allowed, words), k));
    List<String> phrase = List.of(word(random), word(random));
    assertThat(
            run(snapshot, text(snapshot, '"' + String.join(" ", phrase) + '"', false, k, filter)))
        .isEqualTo(Oracle.top(Oracle.phrase(texts, allowed, phrase), k));
    float[] query = vector(random);
    Map<Long, float[]> vectors = column(model, 12, null);
    List<Oracle.Scored> vector = Oracle.top(Oracle.cosine(vectors, allowed, query), k);
    Search.Vector vectorSearch =
        new Search.Vector(
            field(snapshot, "embedding"),
            query,
            Optional.empty(),
            k,
            filter,
            OptionalDouble.empty(),
            VectorQuery.Precision.EXACT);
    assertThat(run(snapshot, vectorSearch)).isEqualTo(vector);
    SparseVector terms = sparse(random);
    Map<Long, SparseVector> sparseVectors = column(model, 13, null);
    List<Oracle.Scored> sparse = Oracle.top(Oracle.sparse(sparseVectors, allowed, terms), k);
    Search.Sparse sparseSearch =
        new Search.Sparse(
            field(snapshot, "terms"),
            terms,
            Search.SparseModifier.NONE,
            k,
            filter,
            OptionalDouble.empty());
    assertThat(run(snapshot, sparseSearch)).isEqualTo(sparse);
    Search.Hybrid hybrid =
        new Search.Hybrid(
            List.of(
                new Search.Leg(vectorSearch, 1),
                new Search.Leg(text(snapshot, String.join(" ", words), false, k, filter), 1),
                new Search.Leg(sparseSearch, 1)),
            7,
            new Fusion.ReciprocalRank(60),
            OptionalDouble.empty());
    assertThat(run(snapshot, hybrid))
        .isEqualTo(Oracle.top(Oracle.rrf(List.of(vector, text, sparse), 60), 7));
  }

  private static int field(Snapshot snapshot, String name) {
    return snapshot.schema().find(name).map(Field::number).orElseThrow();
  }

  private static Search.Text text(
      Snapshot snapshot, String query, boolean all, int k, Optional<Predicate> filter) {
    return new Search.Text(
        List.of(new Search.BoostedField(field(snapshot, "body"), 1)),
        query,
        new TextQueries.Options(QuerySyntax.SIMPLE, all, 0),
        k,
        filter,
        OptionalDouble.empty());
  }

  @SuppressWarnings({
    "unchecked",
    "TypeParameterUnusedInFormals"
  }) // the caller knows the column's type
  private static <T> Map<Long, T> column(Map<Long, Object[]> model, int column, T missing) {
    Map<Long, T> values = new TreeMap<>();
    model.forEach((key, row) -> values.put(key, row[column] == null ? missing : (T) row[column]));
    return values;
  }

  private static List<Oracle.Scored> run(Snapshot snapshot, Search search) {
    List<OutputColumn> output =
        List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.SCORE));
    return Reads.rows(snapshot, SearchRequest.search(search, output)).stream()
        .map(r -> new Oracle.Scored((Long) r[0], (Double) r[1]))
        .toList();
  }
}
