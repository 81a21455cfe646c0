package io.loam;

import static io.loam.IndexFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.commit.NextVersion;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.leaf.VersionIndex;
import io.loam.manifest.FileRef;
import io.loam.manifest.Head;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.StoredManifest;
import io.loam.manifest.VectorIndexRef;
import io.loam.manifest.Versioned;
import io.loam.query.QueryProfile;
import io.loam.query.VersionSpec;
import io.loam.store.Envelope;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import io.loam.store.Ulid;
import io.loam.vector.ExactKernel;
import io.loam.vector.IndexKind;
import io.loam.vector.Segment;
import io.loam.vector.SegmentFile;
import io.loam.vector.Training;
import io.loam.vector.VectorQuery.Precision;
import io.loam.verify.Finding;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Segments that are damaged, and sound ones that are not those of their rows, are found. */
class IndexVerifyTest {
  private static final int DIMENSION = 64;
  private static final int ROWS = 1_500;

  @TempDir Path folder;
  private Path root;
  private final IndexFixture fixture = new IndexFixture(DIMENSION, 10, 21);
  private final Map<Long, float[]> model = new TreeMap<>();
  private int opened;

  @BeforeEach
  void fill() {
    root = folder.resolve("warehouse");
    try (Warehouse warehouse = open()) {
      Collection docs = warehouse.create(DOCS, IndexFixture.schema(DIMENSION, "cosine"));
      fixture.upsert(docs, 0, ROWS, model);
    }
  }

  private Warehouse open() {
    return Warehouse.open(new WarehouseOptions(root, folder.resolve("cache" + opened++), 0));
  }

  /** Makes an index, deletes some of its rows, and leaves others that it does not cover. */
  private void index(IndexKind kind) {
    try (Warehouse warehouse = open()) {
      Collection docs = warehouse.get(DOCS);
      docs.createIndex("by_vector", "embedding", kind, Map.of("min_rows", "0", "partitions", "8"));
      fixture.upsert(docs, ROWS - 5, ROWS + 5, model);
    }
  }

  private List<Finding> verify() {
    try (Warehouse warehouse = open()) {
      return warehouse.get(DOCS).verify(new VersionSpec.Latest()).findings();
    }
  }

  private SegmentRef segment() {
    try (Warehouse warehouse = open()) {
      Manifest newest = warehouse.get(DOCS).manifest(new VersionSpec.Latest());
      return newest.index("by_vector").orElseThrow().segments().get(0);
    }
  }

  /** Makes a version in which the segment is another one. */
  private void forge(Forgery forgery) throws IOException {
    try (ObjectStore store = new LocalObjectStore(root)) {
      String id =
          store.list("collections/").get(0).path().replaceFirst("collections/([^/]+)/.*", "$1");
      Metastore metastore = new Metastore(store, id);
      Versioned<Head> head = metastore.head();
      Manifest newest = metastore.readManifest(head.value().manifestPath());
      VectorIndexRef index = newest.index("by_vector").orElseThrow();
      SegmentRef forged =
          forgery.of(newest, index.segments().get(0), root.resolve(metastore.path("")));
      StoredManifest next =
          new NextVersion(store, metastore, Clock.systemUTC())
              .write(
                  head.value().manifestPath(),
                  newest,
                  Manifest.CommitKind.INDEX_BUILD,
                  List.of(index.withSegments(List.of(forged))),
                  List.of());
      assertThat(
              metastore.swapHead(
                  head, head.value().withVersion(next.manifest().version(), next.path())))
          .isPresent();
    }
  }

  private interface Forgery {
    SegmentRef of(Manifest newest, SegmentRef sound, Path collection) throws IOException;
  }

  private record Row(long rowId, float[] vector) {}

  /** A segment of a file that is written anew, with the rows changed. */
  private static Forgery rows(Consumer<List<Row>> change) {
    return (newest, sound, collection) -> {
      Training training = training(collection, sound);
      Segment segment = Segment.open(collection.resolve(sound.file().path()), training, "sound");
      SortedMap<Long, Row> byId = new TreeMap<>();
      for (int row = 0; row < segment.rows(); row++) {
        long rowId = segment.rowIds().get(row);
        float[] vector = new float[DIMENSION];
        segment
            .scanned()
            .slice(row * (4 * DIMENSION + 8), 4 * DIMENSION)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asFloatBuffer()
            .get(vector);
        byId.put(rowId, new Row(rowId, vector));
      }
      List<Row> rows = new ArrayList<>(byId.values());
      change.accept(rows);
      String ulid = Ulid.next();
      String path = "segments/" + ulid + ".ivf";
      Path file = collection.resolve(path);
      SegmentFile.write(
          training,
          visitor -> rows.forEach(row -> visitor.row(row.rowId, row.vector, 0)),
          file,
          () -> {});
      return new SegmentRef(
          ulid,
          FileRef.of(path, Files.readAllBytes(file)),
          sound.training(),
          sound.rowIds(),
          rows.size());
    };
  }

  private static Training training(Path collection, SegmentRef segment) throws IOException {
    byte[] content = Files.readAllBytes(collection.resolve(segment.training().path()));
    return Training.decode(
        Envelope.unwrap(VersionIndex.TRAINING_MAGIC, VersionIndex.TRAINING_FORMAT, content, "t"),
        "t");
  }

  private void assertFinds(String problem) {
    assertThat(verify())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.problem()).isEqualTo(problem);
              assertThat(finding.object()).endsWith(segment().file().path());
            });
  }

  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void soundSegmentsHaveNoFindings(IndexKind kind) {
    index(kind);
    assertThat(verify()).isEmpty();
  }

  @Test
  void rowThatIsLackingIsFound() throws IOException {
    index(IndexKind.IVF_FLAT);
    forge(rows(rows -> rows.remove(700)));
    assertFinds("lacks a row that it covers");
  }

  @Test
  void deletedRowMayLack() throws IOException {
    index(IndexKind.IVF_FLAT);
    forge(rows(rows -> rows.remove(rows.size() - 1)));
    assertThat(verify()).isEmpty();
  }

  @Test
  void rowThatIsThereTwiceIsFound() throws IOException {
    index(IndexKind.IVF_FLAT);
    forge(rows(rows -> rows.add(rows.get(3))));
    assertFinds("row twice");
  }

  @Test
  void rowOfOthersIsFound() throws IOException {
    index(IndexKind.IVF_FLAT);
    forge(rows(rows -> rows.add(new Row(1 << 20, rows.get(3).vector))));
    assertFinds("row that it does not cover");
  }

  @Test
  void vectorOfAnotherRowIsFound() throws IOException {
    index(IndexKind.IVF_FLAT);
    forge(rows(rows -> rows.set(3, new Row(rows.get(3).rowId, rows.get(4).vector))));
    assertFinds("code of another vector than the row's");
  }

  /** A segment of the old training in the place of one of the new, whose sample was another. */
  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void segmentOfAnotherTimeIsFound(IndexKind kind) throws IOException {
    SegmentRef old = rebuilt(kind);
    forge((newest, sound, collection) -> withTrainingOf(sound, old));
    assertThat(training(old)).isNotEqualTo(training(segment()));
    assertFinds("damaged");
    assertNamed(ErrorCode.CORRUPT_OBJECT, segment().file());
  }

  /** Codes say of which vector they are, too; flat segments hold the vectors themselves. */
  @ParameterizedTest
  @EnumSource(value = IndexKind.class, names = "IVF_FLAT", mode = EnumSource.Mode.EXCLUDE)
  void codesOfAnotherTrainingAreFound(IndexKind kind) throws IOException {
    SegmentRef old = rebuilt(kind);
    forge(
        (newest, sound, collection) -> {
          byte[] codes = Files.readAllBytes(collection.resolve(old.file().path()));
          byte[] header = Files.readAllBytes(collection.resolve(sound.file().path()));
          return written(
              collection, SegmentBytes.withTrainingOf(header, codes), withTrainingOf(sound, old));
        });
    assertFinds("code of another vector than the row's");
  }

  private static SegmentRef withTrainingOf(SegmentRef other, SegmentRef segment) {
    return new SegmentRef(
        segment.ulid(), segment.file(), other.training(), segment.rowIds(), segment.vectors());
  }

  /** The segment that an index had before it was built anew. */
  private SegmentRef rebuilt(IndexKind kind) {
    index(kind);
    SegmentRef old = segment();
    try (Warehouse warehouse = open()) {
      warehouse.get(DOCS).rebuildIndex("by_vector");
    }
    return old;
  }

  @ParameterizedTest
  @EnumSource(value = IndexKind.class, names = "IVF_PQ", mode = EnumSource.Mode.EXCLUDE)
  void segmentsOfTheFirstFormatAreRead(IndexKind kind) throws IOException {
    index(kind);
    float[] query = fixture.vector();
    List<Oracle.Scored> before = search(query);
    forge(
        (newest, sound, collection) -> {
          byte[] content = Files.readAllBytes(collection.resolve(sound.file().path()));
          return written(collection, SegmentBytes.ofFirstFormat(content), sound);
        });
    assertThat(verify()).isEmpty();
    assertThat(search(query)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void productCodesOfOlderFormatsAreRead(int format) throws IOException {
    index(IndexKind.IVF_PQ);
    float[] query = fixture.vector();
    List<Oracle.Scored> before = search(query);
    forge(
        (newest, sound, collection) -> {
          byte[] content = Files.readAllBytes(collection.resolve(sound.file().path()));
          byte[] older = SegmentBytes.ofSecondFormat(content, this::squaredNorm);
          return written(
              collection, format == 1 ? SegmentBytes.ofFirstFormat(older) : older, sound);
        });
    assertThat(verify()).isEmpty();
    assertThat(search(query)).isEqualTo(before);
  }

  /** Of a row's vector after it was brought to length 1; of deleted rows, anything. */
  private double squaredNorm(long rowId) {
    float[] stored = model.get(rowId - 1);
    if (stored == null) {
      return 0;
    }
    float[] vector = stored.clone();
    double norm = Math.sqrt(ExactKernel.squaredNorm(vector, 0, DIMENSION));
    for (int d = 0; d < DIMENSION; d++) {
      vector[d] = (float) (vector[d] / norm);
    }
    return ExactKernel.squaredNorm(vector, 0, DIMENSION);
  }

  private List<Oracle.Scored> search(float[] query) {
    try (Warehouse warehouse = open()) {
      return IndexFixture.search(
          warehouse.get(DOCS), query, 10, Precision.APPROXIMATE, new QueryProfile());
    }
  }

  /** A segment like another, of other bytes. */
  private static SegmentRef written(Path collection, byte[] content, SegmentRef like)
      throws IOException {
    String ulid = Ulid.next();
    String path = "segments/" + ulid + ".ivf";
    Files.write(collection.resolve(path), content);
    return new SegmentRef(
        ulid, FileRef.of(path, content), like.training(), like.rowIds(), like.vectors());
  }

  private static String training(SegmentRef segment) {
    return segment.training().path();
  }

  @Test
  void wrongNumberOfVectorsIsFound() throws IOException {
    index(IndexKind.IVF_FLAT);
    forge(
        (newest, sound, collection) ->
            new SegmentRef(
                sound.ulid(), sound.file(), sound.training(), sound.rowIds(), sound.vectors() - 1));
    assertFinds("another number of rows than expected");
  }

  @Test
  void coverOfTheTailIsFound() throws IOException {
    index(IndexKind.IVF_FLAT);
    forge(
        (newest, sound, collection) -> {
          List<RowIdRange> ranges = new ArrayList<>(sound.rowIds());
          ranges.add(newest.tail().get(0).rowIds());
          return new SegmentRef(
              sound.ulid(), sound.file(), sound.training(), ranges, sound.vectors());
        });
    assertFinds("covers rows of the tail");
  }

  @Test
  void p10_damagedSegmentsAreNamedBySearches() throws IOException {
    index(IndexKind.IVF_SQ);
    SegmentRef segment = segment();
    for (FileRef file : List.of(segment.file(), segment.training())) {
      Path path = damaged(file);
      byte[] content = Files.readAllBytes(path);
      content[content.length / 2] ^= 1;
      Files.write(path, content);
      assertNamed(ErrorCode.CORRUPT_OBJECT, file);
      Files.write(path, new byte[] {1, 2, 3});
      assertNamed(ErrorCode.CORRUPT_OBJECT, file);
      Files.delete(path);
      assertNamed(ErrorCode.MISSING_OBJECT, file);
      content[content.length / 2] ^= 1;
      Files.write(path, content);
    }
    assertThat(verify()).isEmpty();
  }

  private Path damaged(FileRef file) throws IOException {
    try (var files = Files.walk(root)) {
      return files.filter(f -> f.endsWith(file.path())).findFirst().orElseThrow();
    }
  }

  private void assertNamed(ErrorCode code, FileRef file) {
    try (Warehouse warehouse = open()) {
      Collection docs = warehouse.get(DOCS);
      assertThatThrownBy(
              () ->
                  IndexFixture.search(
                      docs, fixture.vector(), 10, Precision.APPROXIMATE, new QueryProfile()))
          .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
          .hasMessageContaining(file.path());
    }
    assertThat(verify()).extracting(Finding::object).anyMatch(o -> o.endsWith(file.path()));
  }
}
