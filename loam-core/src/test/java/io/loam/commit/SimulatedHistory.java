package io.loam.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.error.ErrorCode;
import io.loam.manifest.FileRef;
import io.loam.manifest.Manifest;
import io.loam.manifest.Metastore;
import io.loam.schema.SealedJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All heads that a simulation's collection had, and whether they are what its commits make. */
final class SimulatedHistory {
  private static final int HEAD_FORMAT = 2;

  private record Version(long number, String path, long gcEpoch) {}

  private final SimulatedStore store;
  private final Metastore past;
  private final MemoryStorage storage;
  private final List<Version> versions = new ArrayList<>();
  private @Nullable Version head;

  /**
   * @param past over all objects that were ever there
   */
  SimulatedHistory(SimulatedStore store, Metastore past, MemoryStorage storage) {
    this.store = store;
    this.past = past;
    this.storage = storage;
  }

  /** Takes a head at the moment when it is there: all that it names must be, too. */
  void observe(byte[] content) {
    SealedJson json = SealedJson.open(content, HEAD_FORMAT, "head");
    Version next =
        new Version(json.number("version"), json.text("manifest"), json.number("gcEpoch"));
    Manifest manifest = past.readManifest(next.path);
    assertThat(store.exists(next.path)).as("P4: manifest of %s", next).isTrue();
    assertThat(store.exists(manifest.schemaPath())).as("P4: schema of %s", next).isTrue();
    for (FileRef file : manifest.files()) {
      assertThat(store.exists(past.path(file.path()))).as("P4: %s of %s", file, next).isTrue();
    }
    Version before = head;
    if (before == null || next.number != before.number) {
      versions.add(next);
    }
    if (before != null && next.number == before.number) {
      assertThat(next.path).as("one manifest of a version").isEqualTo(before.path);
    } else if (before != null) {
      assertThat(next.number).isEqualTo(before.number + 1);
      assertThat(manifest.parentPath()).as("parent of %s", next).isEqualTo(before.path);
      assertThat(manifest.parentVersion()).isEqualTo(before.number);
      assertThat(next.gcEpoch).isEqualTo(before.gcEpoch);
    }
    head = next;
  }

  /** Follows the chain and compares each version with what its commits make of the one before. */
  void check(List<SimulatedCommit> commits, Simulation.Totals totals) {
    Map<Long, SimulatedCommit> byOwnKey = new HashMap<>();
    commits.forEach(commit -> byOwnKey.put(commit.ownKey(), commit));
    Map<SimulatedCommit, Long> landed = new HashMap<>();
    Map<Long, NewRow> before = new TreeMap<>();
    for (Version version : versions.subList(1, versions.size())) {
      Map<Long, NewRow> after = rows(version);
      Map<Long, NewRow> rowsBefore = before;
      List<SimulatedCommit> owners =
          after.keySet().stream()
              .filter(key -> byOwnKey.containsKey(key) && !rowsBefore.containsKey(key))
              .map(byOwnKey::get)
              .toList();
      assertThat(owners).as("commits of %s", version).isNotEmpty();
      owners.forEach(
          commit ->
              assertThat(landed.put(commit, version.number)).as("%s, twice", commit).isNull());
      totals.together += owners.size() > 1 ? owners.size() : 0;
      checkVersion(owners, before, after);
      before = after;
    }
    commits.forEach(commit -> checkAnswer(commit, landed.get(commit), totals));
  }

  private Map<Long, NewRow> rows(Version version) {
    Map<Long, NewRow> rows = new TreeMap<>();
    storage
        .live(past.readManifest(version.path))
        .forEach((key, row) -> rows.put((Long) key.value(), row));
    return rows;
  }

  /** Commits of one version change each key at most once, so their order does not matter. */
  private static void checkVersion(
      List<SimulatedCommit> commits, Map<Long, NewRow> before, Map<Long, NewRow> after) {
    Map<Long, Object> expected = new TreeMap<>();
    before.forEach((key, row) -> expected.put(key, row.values()[1]));
    Set<Long> changed = new HashSet<>();
    for (SimulatedCommit commit : commits) {
      for (SimulatedCommit.Change change : commit.changes()) {
        assertThat(changed.add(change.key())).as("one change of a key: %s", commits).isTrue();
        checkChange(commit, change, before.get(change.key()));
        if (change.kind() == SimulatedCommit.Kind.DELETE) {
          expected.remove(change.key());
        } else {
          expected.put(change.key(), commit.label());
        }
      }
    }
    Map<Long, Object> found = new TreeMap<>();
    after.forEach((key, row) -> found.put(key, row.values()[1]));
    assertThat(found).as("after %s", commits).isEqualTo(expected);
  }

  private static void checkChange(
      SimulatedCommit commit, SimulatedCommit.Change change, @Nullable NewRow row) {
    switch (change.kind()) {
      case INSERT -> assertThat(row).as("%s inserts what is there", commit).isNull();
      case UPSERT -> {
        // Replaces whatever is there.
      }
      case REPLACE, DELETE -> {
        assertThat(row).as("%s changes what is gone: %s", commit, change).isNotNull();
        assertThat(row.rowId()).as("%s: %s", commit, change).isEqualTo(change.rowId());
      }
    }
    if (commit.batch().isIsolated()) {
      assertThat(row == null ? null : row.rowId())
          .as("%s read another row: %s", commit, change)
          .isEqualTo(commit.read().get(change.key()));
    }
  }

  private static void checkAnswer(
      SimulatedCommit commit, @Nullable Long landed, Simulation.Totals totals) {
    CommitResult result = commit.result();
    ErrorCode error = commit.error();
    if (result != null) {
      totals.acknowledged++;
      assertThat(landed).as("P2: %s is lost", commit).isNotNull();
      assertThat(result.version()).as("%s", commit).isEqualTo(landed);
      long changes = result.inserted() + result.updated() + result.deleted();
      assertThat(changes).as("%s", commit).isEqualTo(commit.changes().size());
    } else if (error == ErrorCode.COMMIT_UNKNOWN) {
      totals.unknownLanded += landed == null ? 0 : 1;
      totals.unknownAbsent += landed == null ? 1 : 0;
    } else {
      assertThat(landed).as("P3: %s landed", commit).isNull();
      totals.conflicts += error == ErrorCode.CONFLICT ? 1 : 0;
      totals.duplicates += error == ErrorCode.DUPLICATE_KEY ? 1 : 0;
      totals.failures++;
    }
  }
}
