package io.loam;

import io.loam.column.Predicate;
import io.loam.commit.WriteBatch;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.query.Fusion;
import io.loam.query.OutputColumn;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Damages objects of a warehouse one by one, opens it afresh each time, and compares all answers
 * with those of the sound warehouse: each has to be the same, or an error that names the object.
 */
final class DamageTrials {
  static final CollectionName DOCS = CollectionName.of("docs");
  private static final int DIMENSION = 64;
  private static final int FLIPS = 2;

  private final Path warehouse;
  private final Path caches;
  private final Map<String, Object[]> sound;
  private int opened;

  DamageTrials(Path warehouse, Path caches) {
    this.warehouse = warehouse;
    this.caches = caches;
    this.sound = new LinkedHashMap<>();
    try (Warehouse open = open()) {
      Collection docs = open.get(DOCS);
      probes().forEach((name, probe) -> sound.put(name, probe.apply(docs)));
    }
  }

  /** Makes objects of all kinds: two splits and a tail, with deletes in each. */
  static void fill(Path warehouse, Path cache) {
    CollectionSchema schema =
        new SchemaBuilder()
            .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
            .add("body", FieldType.of(TypeKind.TEXT), true, "whitespace", "")
            .add("year_", FieldType.of(TypeKind.INTEGER), true, "", "")
            .add("lang", FieldType.of(TypeKind.VARCHAR), true, "", "")
            .add("embedding", FieldType.vector(DIMENSION), true, "", "l2")
            .add("terms", FieldType.of(TypeKind.SPARSEVECTOR), true, "", "")
            .primaryKey("id")
            .build();
    Random random = new Random(11);
    try (Warehouse open = Warehouse.open(new WarehouseOptions(warehouse, cache, 0))) {
      Collection docs = open.create(DOCS, schema);
      long id = 0;
      for (int rows : new int[] {1_101, 1_102, 20, 30}) {
        WriteBatch batch = WriteBatch.create();
        for (int i = 0; i < rows; i++) {
          batch.insert(row(random, id++));
        }
        docs.commit(batch);
      }
      // Upserts remove by key: some rows of each split and of each file of the tail.
      WriteBatch batch = WriteBatch.create();
      for (long key : new long[] {3, 500, 1_500, 2_205, 2_230}) {
        batch.upsert(row(random, key));
      }
      docs.commit(batch);
    }
  }

  private static Object[] row(Random random, long id) {
    String body =
        IntStream.range(0, 2 + random.nextInt(8))
            .mapToObj(i -> "w" + (int) (Math.pow(random.nextDouble(), 3) * 60))
            .collect(Collectors.joining(" "));
    float[] vector = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      vector[i] = (float) random.nextGaussian();
    }
    int index = random.nextInt(20);
    SparseVector terms =
        new SparseVector(new int[] {index, index + 3}, new float[] {random.nextFloat(), 1});
    return new Object[] {
      id, body, 1990 + random.nextInt(30), random.nextBoolean() ? "de" : "en", vector, terms
    };
  }

  private Warehouse open() {
    return Warehouse.open(new WarehouseOptions(warehouse, caches.resolve("c" + opened++), 0));
  }

  private static Map<String, Function<Collection, Object[]>> probes() {
    Map<String, Function<Collection, Object[]>> probes = new LinkedHashMap<>();
    probes.put("scan", docs -> scan(docs, new VersionSpec.Latest()));
    probes.put("scan of version 3", docs -> scan(docs, new VersionSpec.At(3)));
    probes.put("scan of version 1", docs -> scan(docs, new VersionSpec.At(1)));
    probes.put("words", docs -> search(docs, text("w1 w40")));
    probes.put("phrase", docs -> search(docs, text("\"w1 w2\"")));
    probes.put("nearest", docs -> search(docs, nearest()));
    probes.put("sparse", docs -> search(docs, sparse()));
    probes.put("hybrid", docs -> search(docs, hybrid()));
    probes.put("filter", DamageTrials::filtered);
    probes.put("history", docs -> docs.manifests().toArray());
    probes.put("conflict", DamageTrials::conflict);
    return probes;
  }

  private static Object[] scan(Collection docs, VersionSpec version) {
    try (Snapshot snapshot = docs.snapshot(version)) {
      List<OutputColumn> output =
          snapshot.schema().fields().stream().map(f -> OutputColumn.field(f.number())).toList();
      return Reads.rows(snapshot, SearchRequest.scan(output)).toArray();
    }
  }

  private static Object[] filtered(Collection docs) {
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      int year = snapshot.schema().find("year_").map(Field::number).orElseThrow();
      SearchRequest request =
          SearchRequest.scan(List.of(OutputColumn.field(1)))
              .withFilter(new Predicate.Compare(year, Predicate.Op.GE, 2010));
      return new Object[] {snapshot.count(request), Reads.rows(snapshot, request).toArray()};
    }
  }

  /** A row id read long ago that has gone since; what tells so are the key deltas. */
  private static Object[] conflict(Collection docs) {
    try {
      return new Object[] {docs.commit(WriteBatch.basedOn(1).delete(4))};
    } catch (LoamException e) {
      if (e.code() == ErrorCode.CONFLICT) {
        return new Object[] {e.getMessage()};
      }
      throw e;
    }
  }

  private static Object[] search(Collection docs, Search search) {
    List<OutputColumn> output =
        List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.SCORE));
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      return Reads.rows(snapshot, SearchRequest.search(search, output)).toArray();
    }
  }

  private static Search.Text text(String query) {
    return new Search.Text(
        List.of(new Search.BoostedField(2, 1)),
        query,
        new TextQueries.Options(QuerySyntax.SIMPLE, false, 0),
        20,
        Optional.empty(),
        OptionalDouble.empty());
  }

  private static Search.Vector nearest() {
    float[] query = new float[DIMENSION];
    Arrays.fill(query, 0.25f);
    return new Search.Vector(
        5,
        query,
        Optional.empty(),
        20,
        Optional.empty(),
        OptionalDouble.empty(),
        VectorQuery.Precision.APPROXIMATE);
  }

  private static Search.Sparse sparse() {
    SparseVector query = new SparseVector(new int[] {3, 7}, new float[] {1, 0.5f});
    return new Search.Sparse(
        6, query, Search.SparseModifier.NONE, 20, Optional.empty(), OptionalDouble.empty());
  }

  private static Search.Hybrid hybrid() {
    return new Search.Hybrid(
        List.of(
            new Search.Leg(nearest(), 1),
            new Search.Leg(text("w3"), 1),
            new Search.Leg(sparse(), 1)),
        20,
        new Fusion.ReciprocalRank(60),
        OptionalDouble.empty());
  }

  /**
   * Damages an object in several ways and puts it back.
   *
   * @return what went wrong, and in how many ways the damage was noticed
   */
  Outcome tryAll(String object, boolean delete) throws IOException {
    Path file = warehouse.resolve(object);
    byte[] content = Files.readAllBytes(file);
    Random random = new Random(object.length() + content.length);
    Outcome outcome = new Outcome(object, new ArrayList<>(), new ArrayList<>());
    try {
      for (int i = 0; i < FLIPS; i++) {
        byte[] flipped = content.clone();
        int at = i == 0 ? content.length - 1 : random.nextInt(content.length);
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, flipped);
        probeAll("byte " + at, outcome);
      }
      for (int length : new int[] {content.length / 2, 0}) {
        Files.write(file, Arrays.copyOf(content, length));
        probeAll("cut to " + length, outcome);
      }
      if (delete) {
        Files.delete(file);
        probeAll("deleted", outcome);
      }
    } finally {
      Files.write(file, content);
    }
    return outcome;
  }

  /**
   * What came of the damages of one object.
   *
   * @param faults wrong answers, and errors of the wrong kind
   * @param unnoticed damages that gave no error at all
   */
  record Outcome(String object, List<String> faults, List<String> unnoticed) {}

  private void probeAll(String damage, Outcome outcome) {
    String name = outcome.object().replaceFirst("^collections/[^/]*/", "");
    int errors = 0;
    for (Map.Entry<String, Function<Collection, Object[]>> probe : probes().entrySet()) {
      String fault = null;
      // Each probe opens the warehouse anew where an earlier one failed, so that none hides
      // another.
      try (Warehouse open = open()) {
        Object[] answer = probe.getValue().apply(open.get(DOCS));
        if (!Arrays.deepEquals(answer, sound.get(probe.getKey()))) {
          fault = "wrong answer";
        }
      } catch (LoamException e) {
        errors++;
        boolean right =
            e.code() == ErrorCode.CORRUPT_OBJECT || e.code() == ErrorCode.MISSING_OBJECT;
        if (!right || !e.getMessage().contains(name)) {
          fault = e.code() + " " + e.getMessage();
        }
      } catch (RuntimeException | Error e) {
        fault = e.toString() + " at " + e.getStackTrace()[0];
      }
      if (fault != null) {
        outcome.faults().add(damage + ", " + probe.getKey() + ": " + fault);
      }
    }
    if (errors == 0) {
      outcome.unnoticed().add(damage);
    }
  }

  /** Arguments: the warehouse, a folder for caches, objects. Prints what went wrong. */
  public static void main(String[] args) throws IOException {
    DamageTrials trials = new DamageTrials(Path.of(args[0]), Path.of(args[1]));
    for (String object : Arrays.asList(args).subList(2, args.length)) {
      System.out.println("trying " + object);
      Outcome outcome = trials.tryAll(object, true);
      outcome.faults().forEach(f -> System.out.println("FAULT " + f));
      outcome.unnoticed().forEach(u -> System.out.println("UNNOTICED " + u));
    }
    System.out.println("tried all");
  }
}
