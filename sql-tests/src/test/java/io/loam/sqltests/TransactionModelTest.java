package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random transactions of several connections, in turns, against snapshot isolation over maps. */
class TransactionModelTest {
  private static final int CONNECTIONS = 4;
  private static final int STEPS = 250;
  private static final int KEYS = 30;

  @TempDir Path folder;
  private final Map<Long, Integer> committed = new TreeMap<>();

  /** By key, the number of the commit that changed it last. */
  private final Map<Long, Integer> changedAt = new HashMap<>();

  private int commits;

  /** One connection's transaction, as it should be. */
  private static final class Model {
    private final Connection connection;
    private @Nullable Map<Long, Integer> base;
    private Map<Long, Integer> own = new TreeMap<>();
    private final Set<Long> written = new HashSet<>();
    private int begun;

    Model(Connection connection) {
      this.connection = connection;
    }

    void end() {
      base = null;
      written.clear();
    }

    /** Keys whose rows a commit changes: a row that came and went within is none. */
    Set<Long> changes() {
      Set<Long> keys = new HashSet<>(written);
      keys.removeIf(k -> !base.containsKey(k) && !own.containsKey(k));
      return keys;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void isSnapshotIsolated(long seed) throws SQLException {
    Random random = new Random(seed);
    List<Model> models = new ArrayList<>();
    int conflicts = 0;
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        models.add(new Model(Sql.connect(folder)));
      }
      Sql.run(models.get(0).connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER)");
      for (Model model : models) {
        model.connection.setAutoCommit(false);
      }
      for (int step = 0; step < STEPS; step++) {
        Model model = models.get(random.nextInt(CONNECTIONS));
        String at = "seed=" + seed + ", step=" + step;
        int kind = random.nextInt(12);
        if (kind == 0) {
          model.connection.rollback();
          model.end();
        } else if (kind <= 2) {
          conflicts += commit(model, at) ? 0 : 1;
        } else {
          statement(model, random, at);
        }
      }
    } finally {
      for (Model model : models) {
        model.connection.close();
      }
    }
    assertThat(conflicts).isBetween(3, STEPS / 12);
    assertThat(commits).isGreaterThan(10);
    try (Connection after = Sql.connect(folder)) {
      assertThat(rows(after)).isEqualTo(committed);
    }
  }

  private void statement(Model model, Random random, String at) throws SQLException {
    if (model.base == null) {
      model.base = new TreeMap<>(committed);
      model.own = new TreeMap<>(committed);
      model.begun = commits;
    }
    Map<Long, Integer> own = model.own;
    long key = random.nextInt(KEYS);
    int value = random.nextInt(1000);
    switch (random.nextInt(5)) {
      case 0 -> {
        boolean fails = own.containsKey(key);
        try {
          Sql.update(model.connection, "INSERT INTO t VALUES (?, ?)", key, value);
          assertThat(fails).as(at).isFalse();
          own.put(key, value);
          model.written.add(key);
        } catch (SQLException e) {
          assertThat(fails).as(at + ": " + e.getMessage()).isTrue();
          assertThat(e.getSQLState()).as(at).isEqualTo("23505");
        }
      }
      case 1 -> {
        Sql.update(model.connection, "UPSERT INTO t VALUES (?, ?)", key, value);
        own.put(key, value);
        model.written.add(key);
      }
      case 2 -> {
        Set<Long> found = between(own, key);
        assertThat(
                Sql.update(
                    model.connection,
                    "UPDATE t SET n = n + 1 WHERE id BETWEEN ? AND ?",
                    key,
                    key + 2))
            .as(at)
            .isEqualTo(found.size());
        found.forEach(k -> own.merge(k, 1, Integer::sum));
        model.written.addAll(found);
      }
      case 3 -> {
        Set<Long> found = between(own, key);
        assertThat(
                Sql.update(
                    model.connection, "DELETE FROM t WHERE id BETWEEN ? AND ?", key, key + 2))
            .as(at)
            .isEqualTo(found.size());
        own.keySet().removeAll(found);
        model.written.addAll(found);
      }
      default -> {}
    }
    assertThat(rows(model.connection)).as(at).isEqualTo(own);
  }

  private static Set<Long> between(Map<Long, Integer> rows, long key) {
    Set<Long> found = new HashSet<>(rows.keySet());
    found.removeIf(k -> k < key || k > key + 2);
    return found;
  }

  private static Map<Long, Integer> rows(Connection connection) throws SQLException {
    Map<Long, Integer> rows = new TreeMap<>();
    for (List<@Nullable Object> row : Sql.rows(connection, "SELECT id, n FROM t")) {
      assertThat(rows.put((Long) row.get(0), (Integer) row.get(1))).isNull();
    }
    return rows;
  }

  /** False for a conflict. */
  private boolean commit(Model model, String at) throws SQLException {
    if (model.base == null) {
      model.connection.commit();
      return true;
    }
    Set<Long> changes = model.changes();
    boolean conflict = changes.stream().anyMatch(k -> changedAt.getOrDefault(k, 0) > model.begun);
    try {
      model.connection.commit();
      assertThat(conflict).as(at).isFalse();
      commits++;
      for (long key : changes) {
        changedAt.put(key, commits);
        Integer value = model.own.get(key);
        if (value == null) {
          committed.remove(key);
        } else {
          committed.put(key, value);
        }
      }
    } catch (SQLException e) {
      assertThat(conflict).as(at + ": " + e.getMessage()).isTrue();
      boolean taken =
          changes.stream().anyMatch(k -> committed.containsKey(k) && !model.base.containsKey(k));
      assertThat(e.getSQLState()).as(at).isIn("40001", taken ? "23505" : "40001");
    }
    model.end();
    return !conflict;
  }
}
