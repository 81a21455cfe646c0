package io.loam;

import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.maintain.Part;
import io.loam.maintain.Step;
import io.loam.manifest.Manifest;
import io.loam.manifest.SegmentRef;
import io.loam.query.Fusion;
import io.loam.query.OutputColumn;
import io.loam.query.QueryProfile;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.SparseVector;
import io.loam.text.QuerySyntax;
import io.loam.text.TextQueries;
import io.loam.vector.IndexKind;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What searches answer before, while and after a table has an index that is kept up. */
class IndexHistoryTest {
  private static final Set<Part> ALL = Set.of(Part.values());

  /** All lists are looked at. */
  private static final Map<String, String> OPTIONS =
      Map.of("min_rows", "0", "partitions", "4", "nprobes", "65536", "max_segment_bytes", "65536");

  @TempDir Path folder;
  private Warehouse warehouse;
  private Collection docs;

  @BeforeEach
  void open() {
    warehouse =
        Warehouse.open(
            new WarehouseOptions(folder.resolve("warehouse"), folder.resolve("cache"), 0));
    docs = warehouse.create(DOCS, GarbageFixture.schema(1_000, 1_000));
  }

  @AfterEach
  void close() {
    warehouse.close();
  }

  private void delete(long from, long to) {
    GarbageFixture.delete(docs, LongStream.range(from, to).boxed().collect(Collectors.toSet()));
  }

  private static final List<Search> SEARCHES =
      List.of(
          text("w1 first"),
          sparse(),
          nearest(Precision.EXACT),
          nearest(Precision.APPROXIMATE),
          new Search.Hybrid(
              List.of(
                  new Search.Leg(nearest(Precision.APPROXIMATE), 1),
                  new Search.Leg(text("w3 changed"), 1),
                  new Search.Leg(sparse(), 1)),
              20,
              new Fusion.Distribution(),
              OptionalDouble.empty()));

  private static Search.Text text(String query) {
    return new Search.Text(
        List.of(new Search.BoostedField(2, 1)),
        query,
        new TextQueries.Options(QuerySyntax.SIMPLE, false, 0),
        40,
        Optional.empty(),
        OptionalDouble.empty());
  }

  private static Search.Sparse sparse() {
    SparseVector query = new SparseVector(new int[] {3, 5}, new float[] {1, 0.3f});
    return new Search.Sparse(
        4, query, Search.SparseModifier.IDF, 40, Optional.empty(), OptionalDouble.empty());
  }

  private static Search.Vector nearest(Precision precision) {
    return new Search.Vector(
        3,
        new float[] {1_200.3f, 1.7f},
        Optional.empty(),
        40,
        Optional.empty(),
        OptionalDouble.empty(),
        precision);
  }

  /** Keys and scores' bits of searches of all kinds, each in its order. */
  private List<List<String>> answers(VersionSpec version) {
    List<OutputColumn> output =
        List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.SCORE));
    try (Snapshot snapshot = docs.snapshot(version)) {
      return SEARCHES.stream()
          .map(
              search ->
                  Reads.rows(snapshot, SearchRequest.search(search, output)).stream()
                      .map(row -> row[0] + "|" + Double.doubleToLongBits((Double) row[1]))
                      .toList())
          .toList();
    }
  }

  /** By an index that looks at all of its lists, answers are those of an exact search, too. */
  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void p6_scoresAreThoseBeforeUpkeepToTheLastBit(IndexKind kind) {
    GarbageFixture.fill(docs);
    docs.createIndex("by_vector", "embedding", kind, OPTIONS);
    GarbageFixture.insert(docs, 7_000, 7_010);
    delete(0, 700);
    List<List<String>> before = answers(new VersionSpec.Latest());
    assertThat(before).allSatisfy(rows -> assertThat(rows).hasSizeGreaterThanOrEqualTo(20));
    assertThat(before.get(3)).isEqualTo(before.get(2));
    assertThat(docs.optimize(ALL))
        .extracting(Step::part)
        .contains(Part.TAIL, Part.SPLITS, Part.FRAGMENTS, Part.INDEXES);
    assertThat(answers(new VersionSpec.Latest())).isEqualTo(before);
    docs.rebuildIndex("by_vector");
    assertThat(answers(new VersionSpec.Latest())).isEqualTo(before);
    docs.dropIndex("by_vector");
    assertThat(answers(new VersionSpec.Latest())).isEqualTo(before);
    assertThat(docs.optimize(ALL)).isEmpty();
  }

  /** Each version searches the segments that it had, and none where it had none. */
  @Test
  void p5_versionsBeforeAndAfterEachChangeAnswerAsTheyDid() {
    Map<Long, List<List<String>>> answers = new TreeMap<>();
    Map<Long, Set<String>> segments = new TreeMap<>();
    Runnable note =
        () -> {
          Manifest newest = docs.manifest(new VersionSpec.Latest());
          answers.put(newest.version(), answers(new VersionSpec.Latest()));
          segments.put(newest.version(), names(newest));
        };
    GarbageFixture.fill(docs);
    note.run();
    docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
    note.run();
    delete(2_000, 2_400);
    note.run();
    docs.rebuildIndex("by_vector");
    note.run();
    GarbageFixture.insert(docs, 8_000, 9_001);
    note.run();
    docs.optimize(ALL);
    note.run();
    docs.dropIndex("by_vector");
    note.run();
    docs.createIndex("by_vector", "embedding", IndexKind.IVF_PQ, OPTIONS);
    note.run();
    assertThat(Set.copyOf(segments.values())).hasSizeGreaterThanOrEqualTo(4);
    segments.forEach(
        (number, names) -> {
          VersionSpec version = new VersionSpec.At(number);
          assertThat(names(docs.manifest(version))).isEqualTo(names);
          assertThat(answers(version)).as("version %d", number).isEqualTo(answers.get(number));
          assertThat(searched(version)).as("version %d", number).isEqualTo(names.size());
          assertThat(docs.verify(version).findings()).as("version %d", number).isEmpty();
        });
  }

  private static Set<String> names(Manifest version) {
    return version
        .index("by_vector")
        .map(i -> i.segments().stream().map(SegmentRef::ulid).collect(Collectors.toSet()))
        .orElse(Set.of());
  }

  /** How many segments a search of a version looks at. */
  private long searched(VersionSpec version) {
    QueryProfile profile = new QueryProfile();
    try (Snapshot snapshot = docs.snapshot(version)) {
      IndexFixture.search(
          snapshot,
          new float[] {1_200.3f, 1.7f},
          5,
          Optional.empty(),
          Precision.APPROXIMATE,
          profile);
    }
    return profile.counts().getOrDefault("segments of by_vector", 0L);
  }
}
