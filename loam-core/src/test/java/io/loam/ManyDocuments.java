package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.loam.text.QuerySyntax;
import io.loam.text.TextQueries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/** Generates documents from their ids, loads them, and checks answers against the generator. */
final class ManyDocuments {
  private static final int BATCH = 20_000;
  private static final int VOCABULARY = 1_000;
  private static final String[] LANGUAGES = {"de", "en", "fr", "ja"};
  private static final int BODY = 2;
  private static final int LANGUAGE = 3;
  private static final int YEAR = 4;

  private final int documents;
  private long clock = System.nanoTime();

  private ManyDocuments(int documents) {
    this.documents = documents;
  }

  /** Arguments: folder of the warehouse, number of documents. Fails at the first wrong answer. */
  public static void main(String[] args) throws IOException {
    ManyDocuments run = new ManyDocuments(Integer.parseInt(args[1]));
    try (Warehouse warehouse = Warehouse.open(WarehouseOptions.at(Path.of(args[0])))) {
      run.load(warehouse);
    }
    try (Warehouse warehouse = Warehouse.open(WarehouseOptions.at(Path.of(args[0])));
        Snapshot docs =
            warehouse.get(CollectionName.of("docs")).snapshot(new VersionSpec.Latest())) {
      run.search(docs);
    }
    System.out.println("all as expected, " + peakMemory());
  }

  /** Words, most often the first ones of the vocabulary. */
  private static List<String> words(long id) {
    SplittableRandom random = new SplittableRandom(id);
    List<String> words = new ArrayList<>(12);
    for (int i = 4 + random.nextInt(9); i > 0; i--) {
      words.add("w" + (int) (VOCABULARY * Math.pow(random.nextDouble(), 3)));
    }
    return words;
  }

  private static String language(long id) {
    return LANGUAGES[(int) (id * 7 % LANGUAGES.length)];
  }

  private static int year(long id) {
    return 1950 + (int) (id % 75);
  }

  private void load(Warehouse warehouse) {
    CollectionSchema schema =
        new SchemaBuilder()
            .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
            .add("body", FieldType.of(TypeKind.TEXT), true, "whitespace", "")
            .add("lang", FieldType.of(TypeKind.VARCHAR), true, "", "")
            .add("year_", FieldType.of(TypeKind.INTEGER), true, "", "")
            .primaryKey("id")
            .build();
    Collection docs = warehouse.create(CollectionName.of("docs"), schema);
    for (long id = 0; id < documents; ) {
      WriteBatch batch = WriteBatch.create();
      for (int i = 0; i < BATCH && id < documents; i++, id++) {
        batch.insert(id, String.join(" ", words(id)), language(id), year(id));
      }
      docs.commit(batch);
      if (id % 100_000 == 0) {
        report("loaded " + id);
      }
    }
  }

  private void search(Snapshot docs) {
    assertThat(docs.liveDocuments()).isEqualTo(documents);
    SearchRequest scan = SearchRequest.scan(List.of(OutputColumn.field(1)));
    assertThat(docs.count(scan)).isEqualTo(documents);
    report("count");
    assertThat(sumOfIds(docs, scan)).isEqualTo(documents * (documents - 1L) / 2);
    report("scan");
    Predicate german = new Predicate.Compare(LANGUAGE, Predicate.Op.EQ, "de");
    Predicate recent = new Predicate.Compare(YEAR, Predicate.Op.GE, 2000);
    Predicate both = new Predicate.And(List.of(german, recent));
    assertThat(docs.count(scan.withFilter(both)))
        .isEqualTo(count(id -> language(id).equals("de") && year(id) >= 2000));
    report("filter");
    for (int again = 0; again < 2; again++) {
      checkText(docs, "w0 w7", false, Optional.empty(), id -> containsAny(id, "w0", "w7"));
      checkText(
          docs,
          "w3 w11",
          true,
          Optional.empty(),
          id -> words(id).containsAll(List.of("w3", "w11")));
      checkText(docs, "\"w1 w2\"", false, Optional.empty(), id -> hasPhrase(id, "w1", "w2"));
      checkText(
          docs,
          "w5",
          false,
          Optional.of(both),
          id -> containsAny(id, "w5") && language(id).equals("de") && year(id) >= 2000);
      checkText(docs, "w999", false, Optional.empty(), id -> containsAny(id, "w999"));
    }
    QueryProfile profile = new QueryProfile();
    hits(docs, text("w0", false, 10, Optional.empty()), profile);
    assertThat(profile.counts().get("text candidates"))
        .as(profile.toString())
        .isLessThan(count(id -> containsAny(id, "w0")) / 20);
  }

  private static boolean containsAny(long id, String... words) {
    return words(id).stream().anyMatch(Arrays.asList(words)::contains);
  }

  private static boolean hasPhrase(long id, String first, String second) {
    return (" " + String.join(" ", words(id)) + " ").contains(" " + first + " " + second + " ");
  }

  private long count(LongPredicate matches) {
    return LongStream.range(0, documents).filter(matches).count();
  }

  /** The ten best all match, best first, and are as many as there can be. */
  private void checkText(
      Snapshot docs, String query, boolean all, Optional<Predicate> filter, LongPredicate matches) {
    clock = System.nanoTime();
    QueryProfile profile = new QueryProfile();
    List<Object[]> hits = hits(docs, text(query, all, 10, filter), profile);
    report("bm25 " + query + (filter.isPresent() ? " filtered" : "") + " [" + profile + "]");
    assertThat(hits).hasSize((int) Math.min(10, count(matches)));
    assertThat(hits).allMatch(hit -> matches.test((Long) hit[0]));
    assertThat(hits).isSortedAccordingTo((a, b) -> Double.compare((Double) b[1], (Double) a[1]));
  }

  private static Search.Text text(String query, boolean all, int k, Optional<Predicate> filter) {
    return new Search.Text(
        List.of(new Search.BoostedField(BODY, 1)),
        query,
        new TextQueries.Options(QuerySyntax.SIMPLE, all, 0),
        k,
        filter,
        OptionalDouble.empty());
  }

  private static List<Object[]> hits(Snapshot docs, Search.Text search, QueryProfile profile) {
    List<OutputColumn> output =
        List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.SCORE));
    List<Object[]> hits = new ArrayList<>();
    try (BatchCursor cursor = docs.query(SearchRequest.search(search, output), profile)) {
      for (RowBatch batch = cursor.next(); batch != null; batch = cursor.next()) {
        for (int i = 0; i < batch.size(); i++) {
          hits.add(new Object[] {batch.columns().get(0).get(i), batch.columns().get(1).get(i)});
        }
      }
    }
    return hits;
  }

  private static long sumOfIds(Snapshot docs, SearchRequest scan) {
    long sum = 0;
    try (BatchCursor cursor = docs.query(scan)) {
      for (RowBatch batch = cursor.next(); batch != null; batch = cursor.next()) {
        for (int i = 0; i < batch.size(); i++) {
          sum += (Long) batch.columns().get(0).get(i);
        }
      }
    }
    return sum;
  }

  private void report(String step) {
    long now = System.nanoTime();
    System.out.printf(Locale.ROOT, "%s: %.1f ms%n", step, (now - clock) / 1e6);
    clock = now;
  }

  /** The process's largest resident size, as Linux tells it. */
  private static String peakMemory() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return "peak memory unknown";
    }
    return Files.readAllLines(status, StandardCharsets.UTF_8).stream()
        .filter(line -> line.startsWith("VmHWM"))
        .map(line -> line.replaceAll("\\s+", " "))
        .findFirst()
        .orElse("peak memory unknown");
  }
}
