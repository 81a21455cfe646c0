package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that are written out in a statement, joined with those of a table by keys of all types. */
class ValuesJoinTest {
  /** Keys that the table has are below this; those of VALUES are below twice this. */
  private static final int KEYS = 9;

  @TempDir static Path folder;
  private static Connection connection;

  /** A type of key, and how its values are written: in the table, and in VALUES. */
  private enum Key {
    BIGINT,
    INTEGER,
    VARCHAR,
    DECIMAL,
    DATE,
    DOUBLE;

    String sqlType() {
      return this == DECIMAL ? "DECIMAL(12, 3)" : name();
    }

    String literal(@Nullable Integer key) {
      if (key == null) {
        return "NULL";
      }
      return switch (this) {
        case BIGINT, INTEGER -> key.toString();
        case VARCHAR -> "'" + "k".repeat(key % 4) + key + "'";
        case DECIMAL -> BigDecimal.valueOf(key * 25L, 2).toPlainString();
        case DATE -> "DATE '2024-02-" + (10 + key) + "'";
        case DOUBLE -> key + ".5e0";
      };
    }
  }

  private enum Join {
    INNER,
    LEFT,
    RIGHT,
    FULL;

    boolean keepsLeft() {
      return this == LEFT || this == FULL;
    }

    boolean keepsRight() {
      return this == RIGHT || this == FULL;
    }
  }

  private record Row(long id, @Nullable Integer key) {
    boolean matches(Row other) {
      return key != null && key.equals(other.key);
    }
  }

  private static final List<Row> TABLE =
      IntStream.range(0, 14)
          .mapToObj(i -> new Row(i, i % 5 == 4 ? null : Integer.valueOf(i * 4 % KEYS)))
          .toList();

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    for (Key key : Key.values()) {
      Sql.run(
          connection,
          "CREATE TABLE t_" + key + " (id BIGINT PRIMARY KEY, k " + key.sqlType() + ", n INTEGER)");
      Sql.run(connection, "INSERT INTO t_" + key + " (id, k) VALUES " + literals(TABLE, key));
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static String literals(List<Row> rows, Key key) {
    return String.join(
        ", ", rows.stream().map(r -> "(" + r.id + ", " + key.literal(r.key) + ")").toList());
  }

  /** Rows whose ids ascend, so that the keys do not. */
  private static List<Row> values(int count, Random random) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Row(100 + i, random.nextInt(9) == 0 ? null : random.nextInt(2 * KEYS)))
        .toList();
  }

  private static List<List<@Nullable Object>> joined(List<Row> left, Join join, List<Row> right) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Row l : left) {
      right.stream().filter(l::matches).forEach(r -> rows.add(Arrays.asList(l.id, r.id)));
      if (join.keepsLeft() && right.stream().noneMatch(l::matches)) {
        rows.add(Arrays.asList(l.id, null));
      }
    }
    if (join.keepsRight()) {
      right.stream()
          .filter(r -> left.stream().noneMatch(r::matches))
          .forEach(r -> rows.add(Arrays.asList(null, r.id)));
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(Key.class)
  void joinsFindAllMatches(Key key) throws SQLException {
    Random random = new Random(key.name().hashCode());
    for (int count : new int[] {3, 8, 25, 200}) {
      List<Row> values = values(count, random);
      String written = "(VALUES " + literals(values, key) + ") z(id, k)";
      String table = "t_" + key + " t";
      for (Join join : Join.values()) {
        String first =
            "SELECT CAST(z.id AS BIGINT), t.id FROM " + written + " " + join + " JOIN " + table;
        assertThat(Sql.rows(connection, first + " ON z.k = t.k"))
            .as(first)
            .containsExactlyInAnyOrderElementsOf(joined(values, join, TABLE));
        String second =
            "SELECT t.id, CAST(z.id AS BIGINT) FROM " + table + " " + join + " JOIN " + written;
        assertThat(Sql.rows(connection, second + " ON z.k = t.k"))
            .as(second)
            .containsExactlyInAnyOrderElementsOf(joined(TABLE, join, values));
      }
    }
  }

  @Test
  void mergeByTextFindsAllMatches() throws SQLException {
    for (int count : new int[] {8, 200}) {
      List<Row> values =
          values(count, new Random(count)).stream()
              .filter(row -> row.key == null || row.key >= KEYS || row.id % 3 > 0)
              .toList();
      Sql.run(connection, "CREATE TABLE m (id BIGINT PRIMARY KEY, k VARCHAR, n INTEGER)");
      List<Row> keys = IntStream.range(0, KEYS).mapToObj(i -> new Row(i, i)).toList();
      Sql.run(connection, "INSERT INTO m (id, k) VALUES " + literals(keys, Key.VARCHAR));
      Sql.run(
          connection,
          "MERGE INTO m USING (VALUES "
              + literals(values, Key.VARCHAR)
              + ") z(id, k) ON m.k = z.k"
              + " WHEN NOT MATCHED THEN INSERT (id, k) VALUES (z.id, z.k)");
      List<Object> expected = new ArrayList<>();
      keys.forEach(row -> expected.add(row.id));
      values.stream()
          .filter(row -> keys.stream().noneMatch(row::matches))
          .forEach(row -> expected.add(row.id));
      assertThat(Sql.column(connection, "SELECT id FROM m ORDER BY id")).isEqualTo(expected);
      Sql.run(connection, "DROP TABLE m");
    }
  }

  @Test
  void mergeUpdatesAllMatches() throws SQLException {
    Sql.run(connection, "CREATE TABLE u (id BIGINT PRIMARY KEY, k VARCHAR, n INTEGER)");
    Sql.run(connection, "INSERT INTO u (id, k) VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    Sql.run(
        connection,
        "MERGE INTO u USING (VALUES (10, 'a'), (11, 'zz'), (12, 'b'), (13, 'c'), (14, 'yy'),"
            + " (15, 'd')) z(i, k) ON u.k = z.k WHEN MATCHED THEN UPDATE SET n = z.i"
            + " WHEN NOT MATCHED THEN INSERT (id, k) VALUES (z.i, z.k)");
    assertThat(Sql.rows(connection, "SELECT id, n FROM u ORDER BY id"))
        .isEqualTo(
            List.of(
                List.of(1L, 10),
                List.of(2L, 12),
                List.of(3L, 13),
                Arrays.asList(11L, null),
                Arrays.asList(14L, null),
                Arrays.asList(15L, null)));
  }

  @Test
  void castsOfLaterColumnsAreNotSortedAlready() throws SQLException {
    String values = "(VALUES (10, 3), (11, 1), (12, 2), (13, 1)) z(i, k)";
    String sorted =
        "SELECT i, CAST(k AS BIGINT) AS b FROM " + values + " ORDER BY CAST(k AS BIGINT), i";
    assertThat(Sql.column(connection, sorted)).isEqualTo(List.of(11, 13, 12, 10));
    String of = "SELECT CAST(k AS BIGINT) AS b FROM " + values;
    assertThat(Sql.column(connection, of + " ORDER BY b")).isEqualTo(List.of(1L, 1L, 2L, 3L));
    assertThat(Sql.column(connection, of + " UNION ALL " + of + " ORDER BY b LIMIT 4"))
        .isEqualTo(List.of(1L, 1L, 1L, 1L));
  }
}
