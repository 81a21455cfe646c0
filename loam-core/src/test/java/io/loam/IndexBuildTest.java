package io.loam;

import static io.loam.IndexFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.index.BuildPlan;
import io.loam.index.ChildParts;
import io.loam.index.PartRunner;
import io.loam.leaf.VersionIndex;
import io.loam.manifest.SegmentRef;
import io.loam.manifest.VectorIndexRef;
import io.loam.query.QueryProfile;
import io.loam.query.VersionSpec;
import io.loam.store.Envelope;
import io.loam.store.LocalObjectStore;
import io.loam.vector.IndexKind;
import io.loam.vector.SegmentFile;
import io.loam.vector.Training;
import io.loam.vector.VectorQuery.Precision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Parts of indexes that other processes build. */
class IndexBuildTest {
  private static final int DIMENSION = 16;
  private static final Map<String, String> OPTIONS =
      Map.of("min_rows", "0", "max_segment_bytes", "100000");

  @TempDir Path folder;
  private Path root;
  private final IndexFixture fixture = new IndexFixture(DIMENSION, 20, 5);
  private final Map<Long, float[]> model = new TreeMap<>();

  @BeforeEach
  void fill() {
    root = folder.resolve("warehouse");
    try (Warehouse warehouse = Warehouse.open(options())) {
      Collection docs = warehouse.create(DOCS, IndexFixture.schema(DIMENSION, "l2"));
      fixture.upsert(docs, 0, 3_000, model);
    }
  }

  private WarehouseOptions options() {
    return new WarehouseOptions(root, folder.resolve("cache"), 0);
  }

  private static VectorIndexRef index(Collection docs) {
    return docs.manifest(new VersionSpec.Latest()).index("by_vector").orElseThrow();
  }

  @Test
  void partsAreBuiltByOtherProcessesThatKnowPlanAndWarehouseOnly() throws Exception {
    try (Warehouse warehouse = Warehouse.open(options().withBuildProcesses(2))) {
      Collection docs = warehouse.get(DOCS);
      docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
      List<SegmentRef> segments = index(docs).segments();
      assertThat(segments).hasSizeGreaterThan(1);
      assertThat(segments.stream().map(SegmentRef::training).distinct()).hasSize(1);
      for (int i = 0; i < 10; i++) {
        float[] query = fixture.vector();
        QueryProfile profile = new QueryProfile();
        assertThat(IndexFixture.search(docs, query, 10, Precision.APPROXIMATE, profile))
            .isEqualTo(IndexFixture.search(docs, query, 10, Precision.EXACT, new QueryProfile()));
        assertThat(profile.counts()).containsEntry("segments of by_vector", (long) segments.size());
      }
    }
    buildAgain();
  }

  /** Whoever builds a part again finds that the same bytes are there. */
  private void buildAgain() throws Exception {
    String plan;
    try (Stream<Path> files = Files.walk(root.resolve("collections"))) {
      plan =
          root.relativize(files.filter(f -> f.toString().contains("/plans/")).findFirst().get())
              .toString();
    }
    ChildJvm.run(
        folder,
        List.of("-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED"),
        BuildPart.class,
        List.of(root.toString(), plan, "1"),
        120);
  }

  @ParameterizedTest
  @CsvSource({
    "BUILD_FAILED,exit code 3,echo going down; exit 3",
    "BUILD_FAILED,exit code 134,kill -ABRT $$",
    "BUILD_FAILED,exit code 137,kill -KILL $$",
    "BUILD_FAILED,no sign of life,exec sleep 600",
    "BUILD_FAILED,no sign of life,kill -STOP $$",
    "MISSING_OBJECT,not built,exit 0",
    "CORRUPT_OBJECT,damaged,mkdir -p $(dirname FILE); echo no segment at all is in here > FILE"
  })
  void childThatFailsIsAnErrorAndNothingMore(ErrorCode code, String how, String script) {
    List<ProcessHandle> before = ProcessHandle.current().children().toList();
    LoamWarehouse.Parts parts =
        files ->
            Optional.of(
                new ChildParts(
                    files,
                    (planPath, plan, part, temporary) -> {
                      Path file =
                          root.resolve(planPath)
                              .resolveSibling(
                                  "../segments/" + plan.parts().get(part).ulid() + ".ivf")
                              .normalize();
                      return new ProcessBuilder(
                          "sh", "-c", script.replace("FILE", file.toString()));
                    },
                    2,
                    Duration.ofMillis(500)));
    try (LoamWarehouse warehouse =
        new LoamWarehouse(options(), new LocalObjectStore(root), parts)) {
      Collection docs = warehouse.get(DOCS);
      long version = docs.manifest(new VersionSpec.Latest()).version();
      assertThatThrownBy(
              () -> docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS))
          .isInstanceOfSatisfying(LoamException.class, e -> assertThat(e.code()).isEqualTo(code))
          .hasMessageContaining(how);
      assertThat(docs.manifest(new VersionSpec.Latest()).version()).isEqualTo(version);
      List<ProcessHandle> after = new ArrayList<>(ProcessHandle.current().children().toList());
      after.removeAll(before);
      assertThat(after).noneMatch(ProcessHandle::isAlive);
    }
  }

  /** Its rows, lists and lengths are all as they should be. */
  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void partOfAnotherTrainingIsRefused(IndexKind kind) {
    UnaryOperator<Training> another =
        training ->
            Training.learn(
                kind,
                training.metric(),
                DIMENSION,
                sample(training.lists()),
                training.lists(),
                DIMENSION / 4,
                () -> {});
    try (LoamWarehouse warehouse = warehouse(another)) {
      Collection docs = warehouse.get(DOCS);
      long version = docs.manifest(new VersionSpec.Latest()).version();
      assertThatThrownBy(() -> docs.createIndex("by_vector", "embedding", kind, OPTIONS))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
          .hasMessageContaining("another training");
      assertThat(docs.manifest(new VersionSpec.Latest()).version()).isEqualTo(version);
      assertThat(docs.verify(new VersionSpec.Latest()).findings()).isEmpty();
    }
    try (LoamWarehouse warehouse = warehouse(UnaryOperator.identity())) {
      Collection docs = warehouse.get(DOCS);
      docs.createIndex("by_vector", "embedding", kind, OPTIONS);
      assertThat(index(docs).segments()).isNotEmpty();
    }
  }

  /** Whoever built it may not have known which training it was to be. */
  @Test
  void partOfAnOlderFormatIsRefused() {
    try (LoamWarehouse warehouse =
        warehouse(UnaryOperator.identity(), SegmentBytes::ofFirstFormat)) {
      Collection docs = warehouse.get(DOCS);
      assertThatThrownBy(
              () -> docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS))
          .isInstanceOfSatisfying(
              LoamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_OBJECT))
          .hasMessageContaining("older format");
      assertThat(docs.manifest(new VersionSpec.Latest()).indexes()).isEmpty();
    }
  }

  private float[] sample(int vectors) {
    float[] sample = new float[vectors * DIMENSION];
    for (int i = 0; i < vectors; i++) {
      System.arraycopy(fixture.vector(), 0, sample, i * DIMENSION, DIMENSION);
    }
    return sample;
  }

  private LoamWarehouse warehouse(UnaryOperator<Training> change) {
    return warehouse(change, UnaryOperator.identity());
  }

  /** A warehouse whose parts hold one row each, and are built otherwise. */
  private LoamWarehouse warehouse(
      UnaryOperator<Training> change, UnaryOperator<byte[]> changeOfFile) {
    PartRunner runner =
        (planPath, plan, progress) -> {
          Path collection = root.resolve(planPath).getParent().getParent();
          try {
            byte[] stored = Files.readAllBytes(collection.resolve(plan.training().path()));
            Training training =
                Training.decode(
                    Envelope.unwrap(
                        VersionIndex.TRAINING_MAGIC, VersionIndex.TRAINING_FORMAT, stored, "t"),
                    "t");
            Files.createDirectories(collection.resolve("segments"));
            for (BuildPlan.Part part : plan.parts()) {
              Path file = collection.resolve("segments/" + part.ulid() + ".ivf");
              SegmentFile.write(
                  change.apply(training),
                  visitor -> visitor.row(part.rowIds().get(0).start(), new float[DIMENSION], 0),
                  file,
                  () -> {});
              Files.write(file, changeOfFile.apply(Files.readAllBytes(file)));
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    return new LoamWarehouse(options(), new LocalObjectStore(root), files -> Optional.of(runner));
  }

  @Test
  void userSeesHowFarABuildIs() {
    List<String> seen = new ArrayList<>();
    AtomicReference<Collection> watched = new AtomicReference<>();
    LoamWarehouse.Parts parts =
        files ->
            Optional.of(
                new ChildParts(
                    files,
                    (planPath, plan, part, temporary) -> {
                      watched
                          .get()
                          .upkeep()
                          .running()
                          .forEach(running -> seen.add(running.detail()));
                      return new ProcessBuilder("true");
                    },
                    1));
    try (LoamWarehouse warehouse =
        new LoamWarehouse(options(), new LocalObjectStore(root), parts)) {
      watched.set(warehouse.get(DOCS));
      assertThatThrownBy(
              () ->
                  watched.get().createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS))
          .isInstanceOf(LoamException.class);
      assertThat(seen)
          .containsExactly(
              "index by_vector: parts=3, built=0",
              "index by_vector: parts=3, built=1",
              "index by_vector: parts=3, built=2");
      assertThat(watched.get().upkeep().running()).isEmpty();
    }
  }

  /** Builds the index in processes of its own. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] args) {
      WarehouseOptions options =
          new WarehouseOptions(Path.of(args[0]), Path.of(args[1]), 0).withBuildProcesses(2);
      try (Warehouse warehouse = Warehouse.open(options)) {
        warehouse.get(DOCS).createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
      }
    }
  }

  @Test
  void p2_parentThatIsKilledLeavesNoProcessAndNoIndex() throws Exception {
    Process parent =
        ChildJvm.start(
            folder,
            folder.resolve("output"),
            List.of("-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED"),
            Parent.class,
            List.of(root.toString(), folder.resolve("parentCache").toString()));
    List<ProcessHandle> children = List.of();
    try {
      while (children.isEmpty() && parent.isAlive()) {
        Thread.sleep(5);
        children = parent.children().toList();
      }
    } finally {
      parent.destroyForcibly().waitFor();
    }
    assertThat(children).isNotEmpty();
    for (ProcessHandle child : children) {
      child.onExit().get(60, TimeUnit.SECONDS);
    }
    try (Warehouse warehouse = Warehouse.open(options())) {
      Collection docs = warehouse.get(DOCS);
      assertThat(docs.manifest(new VersionSpec.Latest()).indexes()).isEmpty();
      docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, OPTIONS);
      assertThat(docs.verify(new VersionSpec.Latest()).findings()).isEmpty();
      warehouse.collectGarbage(DOCS, GarbageFixture.AT_ONCE);
      GarbageFixture.checkWhole(root, docs);
    }
  }

  @Test
  void childEndsWithItsParent() throws IOException, InterruptedException {
    Process child =
        ChildJvm.start(
            folder,
            folder.resolve("output"),
            List.of("-Xmx256m"),
            BuildPart.class,
            List.of(BuildPart.CHILD, root.toString(), "collections/none/plans/none.json", "0"));
    child.getOutputStream().close(); // as the kernel does when the parent dies
    assertThat(child.waitFor()).isEqualTo(1);
  }
}
