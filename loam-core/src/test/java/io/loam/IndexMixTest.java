package io.loam;

import static io.loam.IndexFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.column.Predicate;
import io.loam.maintain.GcOptions;
import io.loam.maintain.Part;
import io.loam.manifest.Manifest;
import io.loam.query.QueryProfile;
import io.loam.query.Snapshot;
import io.loam.query.VersionSpec;
import io.loam.schema.CollectionSchema;
import io.loam.schema.FieldType;
import io.loam.schema.SchemaBuilder;
import io.loam.schema.TypeKind;
import io.loam.vector.IndexKind;
import io.loam.vector.VectorQuery.Precision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes, deletes, builds, maintenance, garbage collection and reads of old versions at random,
 * against a model. The index looks at all of its lists, so that its answers are those of the model.
 */
class IndexMixTest {
  private static final int DIMENSION = 8;
  private static final int KEYS = 6_000;
  private static final int KEPT_VERSIONS = 12;
  private static final Map<String, String> ALL_LISTS =
      Map.of(
          "min_rows", "0",
          "partitions", "6",
          "nprobes", "65536",
          "max_segment_bytes", "65536");

  @TempDir Path folder;

  @Test
  void p5p6p7_mix() {
    new Mix(folder, 71).run(150);
  }

  @Test
  @Tag("long")
  void p5p6p7_longMix() {
    new Mix(folder, 72).run(3_000);
  }

  private static final class Mix {
    private final Random random;
    private final long seed;
    private final IndexFixture fixture;
    private final Path folder;
    private Warehouse warehouse;
    private Collection docs;
    private final Map<Long, float[]> model = new TreeMap<>();
    private final Map<Long, Map<Long, float[]>> history = new TreeMap<>();
    private final Map<String, Integer> done = new HashMap<>();

    Mix(Path folder, long seed) {
      this.folder = folder;
      this.seed = seed;
      this.random = new Random(seed);
      this.fixture = new IndexFixture(DIMENSION, 12, seed);
    }

    private static CollectionSchema schema() {
      return new SchemaBuilder()
          .add("id", FieldType.of(TypeKind.BIGINT), false, "", "")
          .add("part", FieldType.of(TypeKind.INTEGER), true, "", "")
          .add("embedding", FieldType.vector(DIMENSION), true, "", "cosine")
          .primaryKey("id")
          .option("retention.minutes", "0")
          .option("retention.versions", String.valueOf(KEPT_VERSIONS))
          .build();
    }

    private void open() {
      warehouse =
          Warehouse.open(
              new WarehouseOptions(folder.resolve("warehouse"), folder.resolve("cache"), 0));
    }

    void run(int steps) {
      open();
      docs = warehouse.create(DOCS, schema());
      try {
        for (int step = 0; step < steps; step++) {
          String what = "seed " + seed + ", step " + step;
          step(random.nextInt(100));
          check(what);
        }
        assertThat(docs.verify(new VersionSpec.Latest()).findings()).isEmpty();
        assertThat(done.keySet())
            .contains("bulk", "small", "delete", "create", "drop", "rebuild", "optimize", "gc");
      } finally {
        warehouse.close();
      }
    }

    private boolean isIndexed() {
      return docs.manifest(new VersionSpec.Latest()).index("by_vector").isPresent();
    }

    private void step(int dice) {
      if (dice < 10) {
        did("bulk");
        long from = random.nextInt(KEYS);
        fixture.upsert(docs, from, from + 1_001 + random.nextInt(500), model);
      } else if (dice < 40) {
        did("small");
        long from = random.nextInt(KEYS);
        fixture.upsert(docs, from, from + 1 + random.nextInt(30), model);
      } else if (dice < 60 && !model.isEmpty()) {
        did("delete");
        delete();
      } else if (dice < 72) {
        if (isIndexed()) {
          did("rebuild");
          docs.rebuildIndex("by_vector");
        } else {
          did("create");
          docs.createIndex("by_vector", "embedding", IndexKind.IVF_FLAT, ALL_LISTS);
        }
      } else if (dice < 75 && isIndexed()) {
        did("drop");
        assertThat(docs.dropIndex("BY_VECTOR")).isTrue();
      } else if (dice < 88) {
        did("optimize");
        docs.optimize(
            random.nextBoolean()
                ? EnumSet.allOf(Part.class)
                : Set.of(Part.values()[random.nextInt(Part.values().length)]));
      } else if (dice < 94) {
        did("gc");
        warehouse.collectGarbage(DOCS, GcOptions.defaults().withGrace(Duration.ZERO));
      } else {
        warehouse.close();
        open();
        docs = warehouse.get(DOCS);
      }
    }

    private void did(String what) {
      done.merge(what, 1, Integer::sum);
    }

    private void delete() {
      List<Long> keys = new ArrayList<>(model.keySet());
      Set<Long> gone = new TreeSet<>();
      int first = random.nextInt(keys.size());
      int count = random.nextInt(10) == 0 ? keys.size() / 2 : 1 + random.nextInt(40);
      for (int i = first; i < Math.min(keys.size(), first + count); i++) {
        if (random.nextInt(3) > 0) {
          gone.add(keys.get(i));
        }
      }
      if (!gone.isEmpty()) {
        GarbageFixture.delete(docs, gone);
        model.keySet().removeAll(gone);
      }
    }

    private void check(String what) {
      Manifest newest = docs.manifest(new VersionSpec.Latest());
      history.put(newest.version(), new TreeMap<>(model));
      checkVersion(what, new VersionSpec.Latest(), model);
      List<Manifest> retained = docs.manifests();
      long old = retained.get(random.nextInt(retained.size())).version();
      if (history.containsKey(old)) {
        checkVersion(what + ", version " + old, new VersionSpec.At(old), history.get(old));
      }
      history.keySet().removeIf(v -> v < retained.get(retained.size() - 1).version());
    }

    private void checkVersion(String what, VersionSpec version, Map<Long, float[]> rows) {
      try (Snapshot snapshot = docs.snapshot(version)) {
        int less = 1 + random.nextInt(15);
        Optional<Predicate> filter =
            less > 10
                ? Optional.empty()
                : Optional.of(new Predicate.Compare(2, Predicate.Op.LT, less));
        Set<Long> allowed = new TreeSet<>();
        rows.keySet().stream().filter(id -> id % 10 < less).forEach(allowed::add);
        float[] query = fixture.vector();
        int k = 1 + random.nextInt(30);
        List<Oracle.Scored> expected = Oracle.top(Oracle.cosine(rows, allowed, query), k);
        QueryProfile profile = new QueryProfile();
        assertThat(IndexFixture.search(snapshot, query, k, filter, Precision.APPROXIMATE, profile))
            .as(what + " " + profile)
            .isEqualTo(expected);
        assertThat(snapshot.liveDocuments()).as(what).isEqualTo(rows.size());
      }
    }
  }
}
