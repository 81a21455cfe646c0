package io.loam.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a history is that of snapshot isolation, told from the versions that the table went
 * through: each version is one commit's, each reader saw one version as a whole, none older than
 * what was acknowledged before it began, and no key that a transaction wrote changed in between.
 */
final class SnapshotCheck {
  private final List<Operation> history;

  /** Rows by version, from 1 on. */
  private final TreeMap<Long, Map<Integer, Long>> versions;

  private final List<String> problems = new ArrayList<>();

  private SnapshotCheck(List<Operation> history, TreeMap<Long, Map<Integer, Long>> versions) {
    this.history = history;
    this.versions = versions;
  }

  /** What contradicts snapshot isolation. */
  static List<String> problems(
      List<Operation> history, TreeMap<Long, Map<Integer, Long>> versions) {
    SnapshotCheck check = new SnapshotCheck(history, versions);
    check.checkCommits();
    history.forEach(check::checkReads);
    history.forEach(check::checkWrites);
    return check.problems;
  }

  /**
   * Every version after the first is what one commit makes of the one before, or what maintenance
   * leaves as it is.
   */
  private void checkCommits() {
    Map<Long, Operation> acknowledged = new HashMap<>();
    Set<Operation> unknown = new HashSet<>();
    for (Operation op : history) {
      if (op.outcome() == Operation.Outcome.UNKNOWN) {
        unknown.add(op);
      } else if (op.commitVersion() > 0 && acknowledged.put(op.commitVersion(), op) != null) {
        problems.add("two commits of one version: " + op);
      }
    }
    for (long version = 2; version <= versions.lastKey(); version++) {
      Map<Integer, Long> before = rows(version - 1);
      Map<Integer, Long> after = rows(version);
      Operation op = acknowledged.remove(version);
      if (op == null) {
        op = unknown.stream().filter(u -> after(before, u).equals(after)).findFirst().orElse(null);
        unknown.remove(op);
      }
      boolean maintained = op == null && after.equals(before);
      if (!maintained && (op == null || !after(before, op).equals(after))) {
        problems.add(
            "version %d has %s after %s, made by %s".formatted(version, after, before, op));
      }
    }
    acknowledged.values().forEach(op -> problems.add("acknowledged, but in no version: " + op));
  }

  private Map<Integer, Long> rows(long version) {
    @Nullable Map<Integer, Long> rows = versions.get(version);
    return rows == null ? Map.of() : rows;
  }

  private static Map<Integer, Long> after(Map<Integer, Long> before, Operation op) {
    Map<Integer, Long> after = new TreeMap<>(before);
    op.writes()
        .forEach(
            (key, value) -> {
              if (value == 0) {
                after.remove(key);
              } else {
                after.put(key, value);
              }
            });
    return after;
  }

  private void checkReads(Operation op) {
    if (op.snapshotVersion() == 0) {
      return;
    }
    Map<Integer, Long> rows = rows(op.snapshotVersion());
    op.reads()
        .forEach(
            (key, value) -> {
              if (rows.getOrDefault(key, 0L).longValue() != value) {
                problems.add("key %d is not that of the version: %s".formatted(key, op));
              }
            });
    history.stream()
        .filter(o -> o.commitVersion() > op.snapshotVersion() && o.endNanos() < op.beginNanos())
        .findFirst()
        .ifPresent(o -> problems.add("%s does not see %s".formatted(op, o)));
  }

  private void checkWrites(Operation op) {
    if (op.kind() != Operation.Kind.TRANSACTION || op.commitVersion() == 0) {
      return;
    }
    for (long version = op.snapshotVersion() + 1; version < op.commitVersion(); version++) {
      for (int key : op.writes().keySet()) {
        Long before = rows(version - 1).get(key);
        if (!java.util.Objects.equals(before, rows(version).get(key))) {
          problems.add("version %d changed key %d under %s".formatted(version, key, op));
        }
      }
    }
  }
}
