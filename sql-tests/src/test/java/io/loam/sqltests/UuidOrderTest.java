package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** UUIDs in joins and windows order as ORDER BY orders them. */
class UuidOrderTest {
  private static final long SEED = 20261130;
  private static final int ROWS = 60;
  private static final Comparator<@Nullable UUID> ORDER =
      Comparator.nullsLast(Comparator.<UUID>naturalOrder());

  @TempDir static Path folder;
  private static Connection connection;
  private static final List<@Nullable UUID> VALUES = new ArrayList<>();

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, g INTEGER, u UUID)");
    Random random = new Random(SEED);
    for (int i = 0; i < ROWS; i++) {
      // Few high halves, so that low ones decide; signs of both kinds.
      UUID value =
          i % 9 == 0 ? null : new UUID((random.nextInt(3) - 1L) << 40, random.nextLong() % 8);
      VALUES.add(value);
      Sql.update(connection, "INSERT INTO t VALUES (?, ?, ?)", (long) i, i % 4, value);
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static List<UUID> group(int group) {
    List<UUID> values = new ArrayList<>();
    for (int i = group; i < ROWS; i += 4) {
      if (VALUES.get(i) != null) {
        values.add(Objects.requireNonNull(VALUES.get(i)));
      }
    }
    return values;
  }

  @Test
  void extremesOfJoins() throws SQLException {
    List<List<@Nullable Object>> expected = new ArrayList<>();
    for (int g = 0; g < 4; g++) {
      expected.add(List.of(g, Collections.min(group(g)), Collections.max(group(g))));
    }
    assertThat(
            Sql.rows(
                connection,
                "SELECT a.g, min(b.u), max(b.u) FROM t a JOIN t b ON a.g = b.g GROUP BY a.g"
                    + " ORDER BY 1"))
        .isEqualTo(expected);
  }

  @Test
  void extremesOfWindows() throws SQLException {
    List<List<@Nullable Object>> rows =
        Sql.rows(
            connection,
            "SELECT id, min(u) OVER (PARTITION BY g), max(u) OVER (PARTITION BY g) FROM t"
                + " ORDER BY id");
    for (int i = 0; i < ROWS; i++) {
      assertThat(rows.get(i))
          .isEqualTo(
              List.of((long) i, Collections.min(group(i % 4)), Collections.max(group(i % 4))));
    }
  }

  @Test
  void comparisonsOfJoins() throws SQLException {
    Map<String, IntPredicate> operators =
        Map.of("<", c -> c < 0, "<=", c -> c <= 0, ">", c -> c > 0, ">=", c -> c >= 0);
    for (Map.Entry<String, IntPredicate> operator : operators.entrySet()) {
      List<List<@Nullable Object>> expected = new ArrayList<>();
      for (int a = 0; a < ROWS; a++) {
        for (int b = 0; b < ROWS; b++) {
          UUID left = VALUES.get(a);
          UUID right = VALUES.get(b);
          if (left != null && right != null && operator.getValue().test(left.compareTo(right))) {
            expected.add(List.of((long) a, (long) b));
          }
        }
      }
      String on = "a.u " + operator.getKey() + " b.u";
      assertThat(Sql.rows(connection, "SELECT a.id, b.id FROM t a JOIN t b ON " + on))
          .as(on)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void comparisonsOfValues() throws SQLException {
    UUID least = VALUES.stream().filter(Objects::nonNull).min(ORDER).orElseThrow();
    UUID bound = Objects.requireNonNull(VALUES.get(4));
    List<List<@Nullable Object>> rows =
        Sql.rows(
            connection,
            "SELECT id, CASE WHEN u > '"
                + bound
                + "' THEN 1 ELSE 0 END, u <= (SELECT min(u) FROM t), u >= ? FROM t ORDER BY id",
            bound);
    for (int i = 0; i < ROWS; i++) {
      UUID own = VALUES.get(i);
      assertThat(rows.get(i))
          .isEqualTo(
              Arrays.asList(
                  (long) i,
                  own != null && own.compareTo(bound) > 0 ? 1 : 0,
                  own == null ? null : own.compareTo(least) <= 0,
                  own == null ? null : own.compareTo(bound) >= 0));
    }
  }

  @Test
  void ranks() throws SQLException {
    List<List<@Nullable Object>> rows =
        Sql.rows(
            connection,
            "SELECT id, rank() OVER (ORDER BY u), rank() OVER (ORDER BY u DESC),"
                + " count(*) OVER (ORDER BY u) FROM t ORDER BY id");
    for (int i = 0; i < ROWS; i++) {
      UUID own = VALUES.get(i);
      long before = VALUES.stream().filter(u -> ORDER.compare(u, own) < 0).count();
      long after = VALUES.stream().filter(u -> ORDER.compare(u, own) > 0).count();
      assertThat(rows.get(i)).isEqualTo(List.of((long) i, before + 1, after + 1, ROWS - after));
    }
  }
}
