package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * GROUP BY of keyword columns whose dictionaries differ from split to split: words that others have
 * too, words of its own, none at all; few combinations and many; enough rows for two threads.
 */
class KeywordGroupsTest {
  private static final int ROWS = 20_000;
  private static final List<String> COLUMNS = List.of("a", "b", "c", "d");

  @TempDir Path folder;
  private Connection connection;
  private final Map<Long, Row> live = new HashMap<>();
  private final Random random = new Random(31);

  private record Row(@Nullable String[] words, @Nullable Double x) {}

  /** What a group must have: rows, rows with b, rows with x, and the sum of x. */
  private static final class Expected {
    private long rows;
    private long withB;
    private long withX;
    private long quarters;
  }

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, a VARCHAR, b VARCHAR, c VARCHAR, x DOUBLE)");
    for (int split = 0; split < 4; split++) {
      insert(split * (long) ROWS, ROWS, split);
    }
    insert(100_000, 50, 4);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void insert(long first, int rows, int split) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?, ?, ?)")) {
      for (long id = first; id < first + rows; id++) {
        @Nullable String[] words = {
          split == 2 ? null : "a" + (random.nextInt(7) + split * 3),
          split == 3 || random.nextInt(9) == 0
              ? null
              : (split == 1 ? "" : "b" + random.nextInt(300)),
          "c" + (split < 2 ? id % 900 : random.nextInt(3)),
          null
        };
        Row row = new Row(words, random.nextInt(5) == 0 ? null : random.nextInt(4_000) / 4.0);
        live.put(id, row);
        Sql.bind(insert, id, words[0], words[1], words[2], row.x);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private void check(String... by) throws SQLException {
    String list = String.join(", ", by);
    List<List<@Nullable Object>> found =
        Sql.rows(
            connection,
            "SELECT %s, count(*), count(b), count(x), sum(x) FROM docs GROUP BY %s"
                .formatted(list, list));
    Map<List<@Nullable Object>, Expected> expected = new HashMap<>();
    for (Row row : live.values()) {
      List<@Nullable Object> group = new ArrayList<>();
      Arrays.stream(by).forEach(column -> group.add(row.words[COLUMNS.indexOf(column)]));
      Expected of = expected.computeIfAbsent(group, g -> new Expected());
      of.rows++;
      of.withB += row.words[1] == null ? 0 : 1;
      of.withX += row.x == null ? 0 : 1;
      of.quarters += row.x == null ? 0 : (long) (row.x * 4);
    }
    Set<List<@Nullable Object>> rows = new HashSet<>();
    expected.forEach(
        (group, of) -> {
          List<@Nullable Object> row = new ArrayList<>(group);
          row.addAll(
              Arrays.asList(
                  of.rows,
                  of.withB,
                  of.withX,
                  of.withX == 0 ? null : (Double) (of.quarters / 4.0)));
          rows.add(row);
        });
    assertThat(found).as("%s", list).hasSameSizeAs(rows);
    assertThat(new HashSet<>(found).equals(rows)).as("%s", list).isTrue();
  }

  private void checkAll() throws SQLException {
    check("a");
    check("c");
    check("a", "b");
    check("b", "a");
    check("c", "a");
    check("a", "b", "c");
  }

  @Test
  void groupsAreThoseOfALoop() throws SQLException {
    checkAll();
    Sql.run(connection, "DELETE FROM docs WHERE MOD(id, 7) = 3 OR a = 'a1'");
    live.entrySet().removeIf(e -> e.getKey() % 7 == 3 || "a1".equals(e.getValue().words[0]));
    checkAll();
    Sql.run(connection, "CALL loam.optimize('docs')");
    checkAll();
  }

  @Test
  void columnsThatOlderSplitsLackAreNullThere() throws SQLException {
    Sql.run(connection, "ALTER TABLE docs ADD COLUMN d VARCHAR");
    Sql.run(connection, "UPDATE docs SET d = 'x' WHERE id < 10");
    live.forEach((id, row) -> row.words[3] = id < 10 ? "x" : null);
    assertThat(Sql.rows(connection, "SELECT d, count(d), count(*) FROM docs GROUP BY d ORDER BY d"))
        .containsExactly(List.of("x", 10L, 10L), Arrays.asList(null, 0L, live.size() - 10L));
    check("a", "d");
    check("d", "c");
    check("a", "d", "b");
    assertThat(Sql.rows(connection, "SELECT count(d), count(c) FROM docs"))
        .containsExactly(List.of(10L, (long) live.size()));
  }
}
