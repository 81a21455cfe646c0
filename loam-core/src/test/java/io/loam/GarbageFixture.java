package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.WriteBatch;
import io.loam.maintain.Garbage;
import io.loam.maintain.GcOptions;
import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.query.OutputColumn;
import io.loam.query.Search;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.SparseText;
import io.loam.schema.SparseVector;
import io.loam.schema.TypeKind;
import io.loam.text.QuerySyntax;
import io.loam.text.TextQueries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** A collection with objects of all kinds, and what must hold of it whatever was collected. */
final class GarbageFixture {
  static final CollectionName DOCS = CollectionName.of("docs");
  static final GcOptions AT_ONCE = GcOptions.defaults().withGrace(Duration.ZERO);

  private GarbageFixture() {}

  static CollectionSchema schema(int minutes, int versions) {
    return new SchemaBuilder()
        .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
        .add("body", FieldType.of(TypeKind.TEXT), true, "whitespace", "")
        .add("embedding", FieldType.vector(2), true, "", "l2")
        .add("terms", FieldType.of(TypeKind.SPARSEVECTOR), true, "", "")
        .primaryKey("id")
        .option("retention.minutes", String.valueOf(minutes))
        .option("retention.versions", String.valueOf(versions))
        .build();
  }

  static Object[] row(long id, String word) {
    return new Object[] {
      id,
      word + " w" + id % 5,
      new float[] {id, 1},
      new SparseVector(new int[] {(int) (id % 7)}, new float[] {1})
    };
  }

  /** Two splits and a tail, with deletes in each, over eight versions. */
  static void fill(Collection docs) {
    insert(docs, 0, 1_001);
    insert(docs, 2_000, 3_001);
    insert(docs, 4_000, 4_010);
    insert(docs, 5_000, 5_010);
    WriteBatch upserts = WriteBatch.create();
    for (long id : new long[] {3, 500, 2_500, 4_001, 5_001}) {
      upserts.upsert(row(id, "changed"));
    }
    docs.commit(upserts);
    delete(docs, Set.of(4L, 501L, 2_501L, 4_002L));
    insert(docs, 6_000, 6_001);
  }

  static void insert(Collection docs, long from, long to) {
    WriteBatch batch = WriteBatch.create();
    for (long id = from; id < to; id++) {
      batch.insert(row(id, "first"));
    }
    docs.commit(batch);
  }

  static void delete(Collection docs, Set<Long> ids) {
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      WriteBatch batch = WriteBatch.basedOn(snapshot.version());
      SearchRequest scan =
          SearchRequest.scan(
              List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.ROW_ID)));
      for (Object[] row : Reads.rows(snapshot, scan)) {
        if (ids.contains((Long) row[0])) {
          batch.delete((Long) row[1]);
        }
      }
      docs.commit(batch);
    }
  }

  /** All rows of a version, and what a text search finds in it. */
  static List<String> answers(Collection docs, VersionSpec version) {
    try (Snapshot snapshot = docs.snapshot(version)) {
      return answers(snapshot);
    }
  }

  static List<String> answers(Snapshot snapshot) {
    List<OutputColumn> fields =
        snapshot.schema().fields().stream().map(f -> OutputColumn.field(f.number())).toList();
    Search.Text text =
        new Search.Text(
            List.of(new Search.BoostedField(2, 1)),
            "changed w1",
            new TextQueries.Options(QuerySyntax.SIMPLE, false, 0),
            20,
            Optional.empty(),
            OptionalDouble.empty());
    List<OutputColumn> hit =
        List.of(OutputColumn.field(1), OutputColumn.of(OutputColumn.Kind.SCORE));
    return Stream.concat(
            Reads.rows(snapshot, SearchRequest.scan(fields)).stream(),
            Reads.rows(snapshot, SearchRequest.search(text, hit)).stream())
        .map(GarbageFixture::text)
        .toList();
  }

  private static String text(Object[] row) {
    return Arrays.stream(row)
        .map(
            value ->
                value instanceof float[] vector
                    ? Arrays.toString(vector)
                    : value instanceof SparseVector sparse ? SparseText.format(sparse) : value)
        .map(String::valueOf)
        .collect(Collectors.joining("|"));
  }

  /** The answers of every retained version, by version. */
  static Map<Long, List<String>> allAnswers(Collection docs) {
    Map<Long, List<String>> answers = new TreeMap<>();
    for (Manifest manifest : docs.manifests()) {
      long version = manifest.version();
      answers.put(version, answers(docs, new VersionSpec.At(version)));
    }
    return answers;
  }

  /** Every object that a retained version names is there, unchanged. */
  static void checkWhole(Path warehouse, Collection docs) throws IOException {
    for (Manifest manifest : docs.manifests()) {
      assertThat(warehouse.resolve(manifest.schemaPath())).exists();
      Path folder = warehouse.resolve(manifest.schemaPath()).getParent().getParent();
      for (FileRef file : manifest.files()) {
        Path path = folder.resolve(file.path());
        assertThat(path).as("version %d", manifest.version()).exists();
        CRC32C crc = new CRC32C();
        crc.update(Files.readAllBytes(path));
        assertThat((int) crc.getValue()).as(file.path()).isEqualTo(file.crc32c());
      }
    }
  }

  /** Paths of all objects of all collections. */
  static Set<String> objects(Path warehouse) throws IOException {
    try (Stream<Path> files = Files.walk(warehouse.resolve("collections"))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> warehouse.relativize(file).toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  static Set<String> paths(List<Garbage> garbage) {
    return garbage.stream().map(Garbage::path).collect(Collectors.toCollection(TreeSet::new));
  }
}
