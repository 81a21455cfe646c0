package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.WriteBatch;
import io.loam.maintain.Part;
import io.loam.maintain.Step;
import io.loam.manifest.FragmentRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.SplitRef;
import io.loam.query.OutputColumn;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What maintenance does to a collection, and what it leaves as it is. */
class OptimizeTest {
  private static final Set<Part> ALL = Set.of(Part.values());

  @TempDir Path folder;
  private Path root;
  private Warehouse warehouse;
  private Collection docs;

  @BeforeEach
  void open() {
    root = folder.resolve("warehouse");
    warehouse = Warehouse.open(new WarehouseOptions(root, folder.resolve("cache"), 0));
    docs = warehouse.create(DOCS, GarbageFixture.schema(1_000, 1_000));
  }

  @AfterEach
  void close() {
    warehouse.close();
  }

  private Manifest head() {
    return docs.manifest(new VersionSpec.Latest());
  }

  private void bulk(int from) {
    GarbageFixture.insert(docs, from, from + 1_001);
  }

  private void delete(long from, long to) {
    GarbageFixture.delete(docs, LongStream.range(from, to).boxed().collect(Collectors.toSet()));
  }

  @Test
  void smallSplitsAndFragmentsBecomeOne() {
    for (int i = 0; i < 5; i++) {
      bulk(i * 2_000);
    }
    delete(2_000, 2_010);
    Map<Long, List<String>> before = GarbageFixture.allAnswers(docs);
    List<Step> steps = docs.optimize(ALL);
    assertThat(steps)
        .containsExactly(
            new Step(Part.SPLITS, "splits: 5 became 1; rows: 5005 became 4995", 8),
            new Step(Part.FRAGMENTS, "fragments: 5 became 1; rows: 5005 became 4995", 9));
    Manifest head = head();
    assertThat(head.kind()).isEqualTo(Manifest.CommitKind.MAINTENANCE);
    assertThat(head.splits()).hasSize(1);
    assertThat(head.splits().get(0).deletes()).isEmpty();
    assertThat(head.fragments()).hasSize(1);
    assertThat(head.fragments().get(0).deletion()).isEmpty();
    assertThat(head.liveDocuments()).isEqualTo(4_995);
    checkSame(before, 7);
    assertThat(docs.optimize(ALL)).isEmpty();
    assertThat(head().version()).isEqualTo(9);
  }

  /** Versions that were there answer as before, and the newest as the last of them. */
  private void checkSame(Map<Long, List<String>> before, long last) {
    Map<Long, List<String>> after = GarbageFixture.allAnswers(docs);
    before.forEach((version, answers) -> assertThat(after.get(version)).isEqualTo(answers));
    assertThat(after.keySet()).contains(head().version());
    after.forEach(
        (version, answers) -> {
          if (version > last) {
            assertThat(answers).containsExactlyInAnyOrderElementsOf(before.get(last));
          }
        });
  }

  @Test
  void partsAreDoneAlone() {
    bulk(0);
    bulk(2_000);
    assertThat(docs.optimize(Set.of(Part.FRAGMENTS))).hasSize(1);
    assertThat(head().splits()).hasSize(2);
    assertThat(head().fragments()).hasSize(1);
    assertThat(docs.optimize(Set.of(Part.SPLITS))).hasSize(1);
    assertThat(head().splits()).hasSize(1);
    assertThat(docs.optimize(Set.of(Part.FILES))).isEmpty();
  }

  @Test
  void manyDeletedRowsAreReasonEnough() {
    bulk(0);
    delete(0, 300);
    assertThat(docs.optimize(ALL)).isEmpty(); // less than 30 %
    delete(300, 301);
    assertThat(docs.optimize(ALL))
        .containsExactly(
            new Step(Part.SPLITS, "splits: 1 became 1; rows: 1001 became 700", 5),
            new Step(Part.FRAGMENTS, "fragments: 1 became 1; rows: 1001 became 700", 6));
    assertThat(docs.optimize(ALL)).isEmpty();
  }

  @Test
  void splitWithoutLiveDocumentsGoes() {
    bulk(0);
    delete(0, 1_001);
    assertThat(head().fragments()).isEmpty();
    assertThat(docs.optimize(ALL))
        .containsExactly(new Step(Part.SPLITS, "splits: 1 without rows removed", 4));
    assertThat(head().splits()).isEmpty();
    bulk(0);
    assertThat(GarbageFixture.answers(docs, new VersionSpec.Latest())).isNotEmpty();
  }

  @Test
  void manyCommitsOfOneRowBecomeFew() {
    for (int i = 0; i < 130; i++) {
      GarbageFixture.insert(docs, i, i + 1);
    }
    assertThat(head().splits().size() + head().fragments().size()).isGreaterThan(2);
    Map<Long, List<String>> before = GarbageFixture.allAnswers(docs);
    docs.optimize(ALL);
    assertThat(head().splits()).hasSize(1);
    checkSame(before, 131);
  }

  /** Rows of a fragment that is gone leave the vectors of its split's other rows in place. */
  @Test
  void vectorsStayWithTheirDocuments() {
    for (int i = 0; i < 65; i++) {
      GarbageFixture.insert(docs, 10L * i, 10L * i + 3); // the last one folds the tail
    }
    delete(100, 103);
    delete(10, 12);
    checkVectors();
    docs.optimize(Set.of(Part.FRAGMENTS));
    checkVectors();
    docs.optimize(ALL);
    checkVectors();
  }

  private void checkVectors() {
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      for (long id : new long[] {0, 12, 110, 500, 642}) {
        Search.Vector search =
            new Search.Vector(
                3,
                new float[] {id, 1},
                Optional.empty(),
                1,
                Optional.empty(),
                OptionalDouble.empty(),
                Precision.EXACT);
        List<OutputColumn> output =
            List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.SCORE));
        assertThat(Reads.rows(snapshot, SearchRequest.search(search, output)).get(0))
            .containsExactly(id, 1.0);
      }
    }
  }

  @Test
  void onlyWhatIsSmallIsWrittenAgain() {
    GarbageFixture.insert(docs, 0, 20_000);
    String large = head().splits().get(0).ulid();
    bulk(30_000);
    assertThat(docs.optimize(ALL)).isEmpty(); // more than eight times as large
    bulk(40_000);
    assertThat(docs.optimize(ALL)).hasSize(2);
    assertThat(head().splits()).extracting(SplitRef::ulid).contains(large).hasSize(2);
    assertThat(head().fragments()).extracting(FragmentRef::physicalRows).contains(20_000);
  }

  @Test
  void writesGoOnAfterwards() {
    bulk(0);
    bulk(2_000);
    docs.optimize(ALL);
    WriteBatch upserts = WriteBatch.create();
    for (long id : new long[] {3, 2_005, 9_000}) {
      upserts.upsert(GarbageFixture.row(id, "changed"));
    }
    docs.commit(upserts);
    delete(2_100, 2_200);
    assertThat(head().liveDocuments()).isEqualTo(2_002 + 1 - 100);
    assertThat(GarbageFixture.answers(docs, new VersionSpec.Latest()))
        .filteredOn(row -> row.contains("changed"))
        .hasSize(3);
  }

  @Test
  void garbageCollectionThenRemovesTheInputs() throws Exception {
    Collection other = warehouse.create(CollectionName.of("other"), GarbageFixture.schema(0, 1));
    for (int i = 0; i < 3; i++) {
      GarbageFixture.insert(other, i * 2_000L, i * 2_000L + 1_001);
    }
    GarbageFixture.delete(other, Set.of(5L));
    List<String> before = GarbageFixture.answers(other, new VersionSpec.Latest());
    other.optimize(ALL);
    assertThat(warehouse.collectGarbage(other.name(), AT_ONCE)).isNotEmpty();
    assertThat(warehouse.collectGarbage(other.name(), AT_ONCE)).isEmpty();
    GarbageFixture.checkWhole(root, other);
    String id = other.manifests().get(0).schemaPath().split("/", -1)[1];
    assertThat(GarbageFixture.objects(root))
        .filteredOn(path -> path.contains(id) && path.matches(".*(/data/|\\.columns|\\.split).*"))
        .hasSize(3);
    assertThat(GarbageFixture.answers(other, new VersionSpec.Latest()))
        .containsExactlyInAnyOrderElementsOf(before);
  }
}
