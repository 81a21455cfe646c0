package io.loam;

import static io.loam.GarbageFixture.AT_ONCE;
import static io.loam.GarbageFixture.DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.loam.commit.WriteBatch;
import io.loam.maintain.Leases;
import io.loam.manifest.Metastore;
import io.loam.query.VersionSpec;
import io.loam.store.LocalObjectStore;
import io.loam.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * P2: whatever the moment at which a process dies, acknowledged statements are there, the one that
 * was running is there wholly or not at all, no object is damaged, and work goes on.
 */
class CrashGateTest {
  private static final Duration DAY = Duration.ofDays(1);

  /** Between one write and the next nothing is written, so that "before" is seldom needed. */
  private static final String NAMED =
      "(before|after) (create|swap) .*/(head|docs.json)|after (create|swap) .*/(ids|lease)"
          + "|after (stage|force) .*|after create .*/(schemas/.*|text/.*[.](split|columns)|segments/.*|training/.*|plans/.*)"
          + "|after delete .*/(manifests|probes|lance/data|tail)/.*";

  @TempDir Path folder;

  /** One death at each step that readers or other writers can tell. */
  @Test
  void p2_deathAtNamedSteps() throws Exception {
    List<String> chosen =
        oneOfEachKind().stream().filter(step -> step.replaceAll("#.*", "").matches(NAMED)).toList();
    assertThat(chosen).hasSizeGreaterThan(22);
    dieAt(chosen);
  }

  /** One death at each kind of step, syncs of files and folders among them. */
  @Test
  @Tag("long")
  void p2_deathAtEveryKindOfStep() throws Exception {
    List<String> chosen = oneOfEachKind();
    assertThat(chosen).hasSizeGreaterThan(80);
    dieAt(chosen);
  }

  private List<String> oneOfEachKind() throws Exception {
    List<String> all = steps();
    Set<String> names = new HashSet<>();
    List<String> chosen = new ArrayList<>();
    // The last occurrence has most statements before it.
    for (int i = all.size() - 1; i >= 0; i--) {
      if (names.add(all.get(i).replaceAll("#.*", ""))) {
        chosen.add(all.get(i));
      }
    }
    return chosen;
  }

  @Test
  @Tag("long")
  void p2_deathAtEveryStep() throws Exception {
    dieAt(steps());
  }

  @Test
  void p2_someKillsAtRandom() throws Exception {
    killAtRandom(15, 11);
  }

  @Test
  @Tag("long")
  void p2_twoHundredKillsAtRandom() throws Exception {
    killAtRandom(200, 12);
  }

  /** All steps of the script, as a child that lives prints them. */
  private List<String> steps() throws Exception {
    Path place = Files.createDirectory(folder.resolve("steps"));
    Path root = place.resolve("warehouse");
    Process child = CrashChild.startShort(place, root, place.resolve("notes"), "none");
    end(child, place, 0);
    List<String> steps = new ArrayList<>();
    for (String line : Files.readAllLines(CrashChild.output(place))) {
      if (line.startsWith("step ")) {
        steps.add(line.substring("step ".length()));
      }
    }
    return steps;
  }

  private static void end(Process child, Path place, int exit) throws Exception {
    try {
      assertThat(child.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).as(Files.readString(CrashChild.output(place))).isEqualTo(exit);
    } finally {
      child.destroyForcibly();
    }
  }

  private void dieAt(List<String> steps) throws Exception {
    int missed = 0;
    for (String step : steps) {
      Path place = Files.createDirectory(folder.resolve("d" + steps.indexOf(step)));
      Path root = place.resolve("warehouse");
      Path notes = place.resolve("notes");
      Process child = CrashChild.startShort(place, root, notes, step);
      assertThat(child.waitFor(120, TimeUnit.SECONDS)).isTrue();
      if (child.exitValue() == 0) {
        missed++; // threads took turns otherwise than in the run before
      } else {
        end(child, place, 137);
      }
      check(step, root, place, CrashScript.short_(), CrashChild.Progress.of(notes), true);
    }
    assertThat(missed).isLessThanOrEqualTo(steps.size() / 10);
  }

  private void killAtRandom(int kills, long seed) throws Exception {
    Path root = folder.resolve("warehouse");
    Path notes = folder.resolve("notes");
    CrashScript script = CrashScript.random(seed);
    Random random = new Random(seed);
    int next = 0;
    for (int kill = 0; kill < kills; kill++) {
      Process child = CrashChild.startRandom(folder, root, notes, seed, next);
      try {
        waitForProgress(child, notes, next);
        Thread.sleep(random.nextInt(500));
      } finally {
        child.destroyForcibly().waitFor();
      }
      assertThat(child.exitValue()).as(Files.readString(CrashChild.output(folder))).isEqualTo(137);
      next = check("kill " + kill, root, folder, script, CrashChild.Progress.of(notes), false);
      Files.writeString(notes, "done " + (next - 1) + "\n");
    }
    assertThat(next).isGreaterThan(kills);
  }

  private static void waitForProgress(Process child, Path notes, int first) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (CrashChild.Progress.of(notes).done() <= first && child.isAlive()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(5);
    }
  }

  /**
   * Looks what a process left that died, and that work goes on.
   *
   * @return how many statements of the script had effect
   */
  private static int check(
      String death,
      Path root,
      Path place,
      CrashScript script,
      CrashChild.Progress progress,
      boolean goOn)
      throws IOException {
    try (Warehouse warehouse =
        Warehouse.open(new WarehouseOptions(root, place.resolve("cache2"), 0))) {
      Optional<Collection> found = warehouse.find(DOCS);
      if (found.isEmpty()) {
        assertThat(progress.done()).as(death).isZero();
        return 0;
      }
      Collection docs = found.get();
      assertThat(docs.verify(new VersionSpec.Latest()).findings()).as(death).isEmpty();
      Map<Long, String> rows = CrashScript.rows(docs);
      Map<Long, String> after = script.model(progress.done());
      int done = progress.done();
      if (progress.begun() && !rows.equals(after)) {
        after = script.model(++done);
      }
      assertThat(rows).as("%s, after %s", death, progress).isEqualTo(after);
      releaseLease(root, docs);
      if (goOn) {
        goOn(death, root, warehouse, docs);
      }
      return Math.max(1, done);
    }
  }

  /** Writes, and collects what the dead process left. */
  private static void goOn(String death, Path root, Warehouse warehouse, Collection docs)
      throws IOException {
    docs.commit(WriteBatch.create().upsert(GarbageFixture.row(9, "after")));
    warehouse.collectGarbage(DOCS, AT_ONCE);
    assertThat(warehouse.collectGarbage(DOCS, AT_ONCE.asDryRun())).as(death).isEmpty();
    assertThat(CrashScript.rows(docs)).as(death).containsEntry(9L, "after");
    assertThat(docs.verify(new VersionSpec.Latest()).findings()).as(death).isEmpty();
    GarbageFixture.checkWhole(root, docs);
  }

  /** Takes the dead process's lease, a day later by the clock, and gives it back. */
  static void releaseLease(Path root, Collection docs) {
    String id = docs.manifests().get(0).schemaPath().replaceFirst("collections/([^/]+)/.*", "$1");
    try (ObjectStore store = new LocalObjectStore(root)) {
      Clock tomorrow = Clock.offset(Clock.systemUTC(), DAY);
      new Leases(store, new Metastore(store, id), tomorrow).acquire("test", DAY).close();
    }
  }
}
