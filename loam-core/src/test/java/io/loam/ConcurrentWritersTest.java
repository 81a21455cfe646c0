package io.loam;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.CommitResult;
import io.loam.commit.WriteBatch;
import io.loam.manifest.Manifest;
import io.loam.query.OutputColumn;
import io.loam.query.SearchRequest;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many writers on one collection, through two warehouses as two processes would be. */
class ConcurrentWritersTest {
  private static final int THREADS = 8;
  private static final int COMMITS = 20;
  private static final CollectionName DOCS = CollectionName.of("docs");

  @TempDir Path folder;

  @Test
  void p2_everyInsertLandsExactlyOnce() throws Exception {
    run(new WarehouseOptions(folder.resolve("warehouse"), folder.resolve("cache"), 0), COMMITS);
  }

  /** Eight threads that commit in a new warehouse. */
  static void run(WarehouseOptions options, int commitsOfEach) throws Exception {
    CollectionSchema schema =
        new SchemaBuilder()
            .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
            .add("body", FieldType.of(TypeKind.TEXT), true, "whitespace", "")
            .primaryKey("id")
            .build();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (Warehouse first = Warehouse.open(options);
        Warehouse second = Warehouse.open(options)) {
      first.create(DOCS, schema);
      List<Callable<List<Long>>> writers = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Collection docs = (t % 2 == 0 ? first : second).get(DOCS);
        long firstId = t * 1_000L;
        writers.add(() -> insertAll(docs, firstId, commitsOfEach));
      }
      List<Long> versions = new ArrayList<>();
      for (Future<List<Long>> writer : threads.invokeAll(writers)) {
        versions.addAll(writer.get());
      }
      int commits = THREADS * commitsOfEach;
      assertThat(ids(second.get(DOCS))).hasSize(commits).doesNotHaveDuplicates();
      checkChain(first.get(DOCS).manifests(), versions);
    } finally {
      threads.shutdownNow();
    }
  }

  /** The versions that the commits landed in. */
  private static List<Long> insertAll(Collection docs, long firstId, int commits) {
    List<Long> versions = new ArrayList<>();
    for (int i = 0; i < commits; i++) {
      CommitResult result = docs.commit(WriteBatch.create().insert(firstId + i, "word w" + i));
      assertThat(result.inserted()).isEqualTo(1);
      versions.add(result.version());
    }
    return versions;
  }

  private static List<Long> ids(Collection docs) {
    try (Snapshot snapshot = docs.snapshot(new VersionSpec.Latest())) {
      SearchRequest scan = SearchRequest.scan(List.of(OutputColumn.field(1)));
      return Reads.rows(snapshot, scan).stream().map(row -> (Long) row[0]).toList();
    }
  }

  /**
   * Each version has the one before as its parent, and as many documents more as commits say that
   * they landed in it.
   *
   * @param landed versions of all commits, each of which inserted one document
   */
  private static void checkChain(List<Manifest> newestFirst, List<Long> landed) {
    Map<Long, Long> commits =
        landed.stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(newestFirst).hasSize(commits.size() + 1);
    for (int i = 0; i < commits.size(); i++) {
      Manifest version = newestFirst.get(i);
      Manifest parent = newestFirst.get(i + 1);
      assertThat(version.parentVersion()).isEqualTo(parent.version());
      assertThat(version.version()).isEqualTo(parent.version() + 1);
      assertThat(version.liveDocuments() - parent.liveDocuments())
          .isEqualTo(commits.get(version.version()));
    }
  }
}
