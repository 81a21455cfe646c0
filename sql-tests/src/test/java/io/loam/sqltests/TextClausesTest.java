package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of clause, in every syntax: its scores are the same however rows are stored. */
class TextClausesTest {
  private static final int ROWS = 2_600;

  /** Arguments of {@code bm25} after the table. */
  private static final List<String> SEARCHES =
      List.of(
          "'body', 'wing heat'",
          "'body', 'wing heat mach', operator => 'and'",
          "'body', 'wing heat mach speed', minimum_should_match => 3",
          "'body', '+wing heat -mach'",
          "'body', 'wing | heat (mach -speed)'",
          "'body', '\"wing heat\"'",
          "'body', '\"wing heat mach\"~4'",
          "'body', 'wi* flow'",
          "'body', 'wong~1 flwo~2'",
          "'title^3,body', 'wing heat'",
          "'title^0.5,body^7', '+wing \"heat flow\" sh*'",
          "'title,body', 'title:wing^2 OR body:\"plate flow\"~3', syntax => 'lucene'",
          "'body', '+w?ng -he*t (flow^4 OR \"shear heat\"^2) sped~', syntax => 'lucene'",
          "'title', '+wing -(heat', syntax => 'terms'",
          "'body', 'wing heat', syntax => 'phrase'",
          "'own', 'wing heat'",
          "'own,body', 'wing \"heat flow\" ma*'");

  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, n INTEGER, title TEXT ANALYZER 'english',"
            + " body TEXT ANALYZER 'whitespace', own TEXT ANALYZER 'standard')"
            + " WITH ('k1.own' = '0.3', 'b.own' = '1')");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** A row has always the same values. */
  private void insert(long from, long to, LongPredicate which) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?, ?, ?, ?, ?)")) {
      boolean any = false;
      for (long id = from; id < to; id++) {
        if (which.test(id)) {
          Random random = new Random(id % 7 == 6 ? id - 1 : id); // some are alike
          Sql.bind(
              insert,
              id,
              random.nextInt(10),
              text(random, 8),
              text(random, 60),
              random.nextInt(5) == 0 ? null : text(random, 20));
          insert.addBatch();
          any = true;
        }
      }
      if (any) {
        insert.executeBatch();
      }
    }
  }

  private static String text(Random random, int most) {
    return random
        .ints(1L + random.nextInt(most), 0, Row.WORDS.size())
        .mapToObj(Row.WORDS::get)
        .collect(Collectors.joining(" "));
  }

  private Map<String, List<List<@Nullable Object>>> answers() throws SQLException {
    Map<String, List<List<@Nullable Object>>> answers = new LinkedHashMap<>();
    for (String search : SEARCHES) {
      for (String more : List.of(", k => 400", ", k => 20, filter => 'n < 4'")) {
        String sql = "SELECT id, _score FROM bm25('docs', " + search + more + ")";
        answers.put(sql, Sql.rows(connection, sql));
      }
    }
    return answers;
  }

  @Test
  void p6_scoresDoNotDependOnHowRowsAreStored() throws SQLException {
    insert(0, ROWS, id -> true);
    Map<String, List<List<@Nullable Object>>> whole = answers();
    whole.forEach((sql, rows) -> assertThat(rows).as(sql).isNotEmpty());
    Sql.run(connection, "DELETE FROM docs WHERE MOD(id, 4) = 1");
    insert(0, ROWS, id -> id % 4 == 1 && id % 8 != 1); // a split
    insert(0, ROWS, id -> id % 8 == 1 && id % 40 != 1); // the tail
    insert(0, ROWS, id -> id % 40 == 1);
    assertThat(answers()).isEqualTo(whole);
    // Dearer documents, which are gone again, must leave nothing behind.
    insert(ROWS, ROWS + 1_500, id -> true);
    Sql.run(connection, "DELETE FROM docs WHERE id >= " + ROWS);
    assertThat(answers()).isEqualTo(whole);
    Sql.run(connection, "CALL loam.optimize('docs', 'tail')");
    assertThat(answers()).isEqualTo(whole);
    Sql.run(connection, "CALL loam.optimize('docs')");
    assertThat(answers()).isEqualTo(whole);
    Sql.run(connection, "ALTER TABLE docs REINDEX");
    assertThat(answers()).isEqualTo(whole);
  }

  @Test
  void p6_pendingRowsScoreAsTheyWillOnceCommitted() throws SQLException {
    insert(0, 1_200, id -> true);
    connection.setAutoCommit(false);
    Sql.run(connection, "DELETE FROM docs WHERE n = 3");
    insert(1_200, 1_300, id -> true);
    Map<String, List<List<@Nullable Object>>> pending = answers();
    connection.commit();
    assertThat(answers()).isEqualTo(pending);
    connection.rollback();
  }

  @Test
  void longerListsBeginWithShorterOnes() throws SQLException {
    insert(0, ROWS, id -> true);
    for (String search : SEARCHES) {
      List<List<@Nullable Object>> all = new ArrayList<>();
      for (int k : new int[] {5_000, 400, 50, 3, 1}) {
        List<List<@Nullable Object>> top =
            Sql.rows(
                connection, "SELECT id, _score FROM bm25('docs', " + search + ", k => " + k + ")");
        all = all.isEmpty() ? top : all;
        assertThat(top).as(search).isEqualTo(all.subList(0, Math.min(k, all.size())));
      }
    }
  }
}
