package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random conditions over a table of several splits, a tail, deletes and NULLs. A condition, its
 * negation and its being NULL part the rows of a table among them, and a condition finds as many
 * rows as it is true for where it cannot be used to find rows.
 */
class PartitionTest {
  private static final long SEED = 20261130;
  private static final int SPLIT_ROWS = 1_100;

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE r (id BIGINT PRIMARY KEY, a INTEGER, x DOUBLE, lang VARCHAR, born DATE,"
            + " seen TIMESTAMP, ok BOOLEAN, body TEXT)");
    Sql.run(connection, "CREATE TABLE other (n INTEGER)");
    Sql.run(connection, "INSERT INTO other VALUES (1), (3), (3), (7), (15), (NULL)");
    Random random = new Random(SEED);
    insert(random, 0, SPLIT_ROWS);
    insert(random, SPLIT_ROWS, 2 * SPLIT_ROWS);
    Sql.run(connection, "DELETE FROM r WHERE MOD(id, 7) = 3");
    Sql.run(connection, "UPDATE r SET a = a + 1, lang = NULL WHERE MOD(id, 11) = 5");
    for (int i = 0; i < 4; i++) {
      insert(random, 5_000 + 20 * i, 5_020 + 20 * i);
    }
    Sql.run(connection, "DELETE FROM r WHERE id IN (5001, 5040)");
    assertThat(Sql.column(connection, "SELECT count(*) FROM \"r$splits\"")).containsExactly(2L);
    assertThat(
            Sql.column(
                connection, "SELECT tail_rows FROM \"r$manifests\" ORDER BY version DESC LIMIT 1"))
        .doesNotContain(0L);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static void insert(Random random, int from, int to) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO r VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (int id = from; id < to; id++) {
        Sql.bind(
            insert,
            id,
            some(random, random.nextInt(20)),
            some(random, random.nextInt(40) / 2.0),
            some(random, "abcd".charAt(random.nextInt(4)) + "" + random.nextInt(4)),
            some(random, LocalDate.of(1990, 1, 1).plusDays(random.nextInt(14_000))),
            some(
                random,
                LocalDateTime.of(2026, 1, 1 + random.nextInt(9), 0, 0)
                    .plusNanos(1_000L * random.nextInt(10))),
            some(random, random.nextBoolean()),
            some(random, "the " + (random.nextBoolean() ? "wing and plate" : "flow of heat")));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static @Nullable Object some(Random random, Object value) {
    return random.nextInt(5) == 0 ? null : value;
  }

  @Test
  void conditionsPartTheRows() throws SQLException {
    check(SEED, 40);
  }

  @Test
  @Tag("long")
  void manyConditionsPartTheRows() throws SQLException {
    for (int round = 1; round <= 20; round++) {
      check(SEED + round, 50);
    }
  }

  private static void check(long seed, int conditions) throws SQLException {
    RandomCondition random = new RandomCondition(new Random(seed));
    List<Object> all = Sql.column(connection, "SELECT id FROM r ORDER BY id");
    for (int i = 0; i < conditions; i++) {
      String p = random.next(2);
      String where = "seed " + seed + ": " + p;
      List<List<Object>> parts = new ArrayList<>();
      for (String part : List.of(p, "NOT (" + p + ")", "(" + p + ") IS NULL")) {
        parts.add(Sql.column(connection, "SELECT id FROM r WHERE " + part));
      }
      List<Object> together = new ArrayList<>();
      parts.forEach(together::addAll);
      together.sort((a, b) -> Long.compare((Long) a, (Long) b));
      assertThat(together).as(where).isEqualTo(all);
      assertThat(
              Sql.rows(
                  connection,
                  "SELECT count(CASE WHEN p THEN 1 END), count(CASE WHEN NOT p THEN 1 END),"
                      + " count(CASE WHEN p IS NULL THEN 1 END) FROM (SELECT "
                      + p
                      + " AS p FROM r) AS q"))
          .as(where)
          .containsExactly(
              IntStream.range(0, 3).mapToObj(j -> (Object) (long) parts.get(j).size()).toList());
      assertThat(Sql.column(connection, "SELECT count(*) FROM r WHERE " + p))
          .as(where)
          .containsExactly((long) parts.get(0).size());
    }
  }
}
