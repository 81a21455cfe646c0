package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.util.SmallFloat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parameters of BM25 that a column may have of its own. */
class ScoringTest {
  private static final List<String> TEXTS =
      List.of("wing", "wing wing wing plate", "plate flow heat wing body speed mach", "heat");

  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT, Body TEXT)"
            + " WITH ('k1.title' = '0.4', 'b.title' = '1', 'B.body' = '0')");
    for (int split = 0; split < 2; split++) {
      for (int i = 0; i < TEXTS.size(); i++) {
        Sql.update(
            connection,
            "INSERT INTO docs VALUES (?, ?, ?)",
            split * TEXTS.size() + i,
            TEXTS.get(i),
            TEXTS.get(i));
      }
      Sql.run(connection, "CALL loam.optimize('docs')");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static double score(String text, double k1, double b) {
    double average = TEXTS.stream().mapToInt(t -> t.split(" ", -1).length).average().orElseThrow();
    int length = SmallFloat.byte4ToInt(SmallFloat.intToByte4(text.split(" ", -1).length));
    double tf = Arrays.stream(text.split(" ", -1)).filter("wing"::equals).count();
    double idf = StrictMath.log(1 + (8 - 6 + 0.5) / (6 + 0.5));
    return 1.0 * idf * (k1 + 1) * tf / (tf + k1 * (1 - b + b * length / average));
  }

  private void check(String column, double k1, double b) throws SQLException {
    List<List<Object>> expected =
        List.of(0, 1, 2, 4, 5, 6).stream()
            .map(id -> List.<Object>of((long) id, score(TEXTS.get(id % 4), k1, b)))
            .toList();
    assertThat(
            Sql.rows(
                connection,
                "SELECT id, _score FROM bm25('docs', '" + column + "', 'wing') ORDER BY id"))
        .isEqualTo(expected);
    assertThat(
            Sql.rows(
                connection,
                "SELECT id, score() FROM docs WHERE match(" + column + ", 'wing') ORDER BY id"))
        .isEqualTo(expected);
  }

  @Test
  void eachColumnIsScoredByItsOwn() throws SQLException {
    check("title", 0.4, 1);
    check("body", 1.2, 0);
    Sql.run(connection, "CALL loam.optimize('docs')");
    check("title", 0.4, 1);
    assertThat(
            Sql.rows(
                connection,
                "SELECT column_name, k1, b FROM \"docs$columns\" ORDER BY \"position\""))
        .containsExactly(
            Arrays.asList("id", null, null), List.of("title", 0.4, 1.0), List.of("Body", 1.2, 0.0));
  }

  @Test
  void addedAndDroppedColumnsTakeTheirsWithThem() throws SQLException {
    Sql.run(connection, "ALTER TABLE docs ADD COLUMN more TEXT WITH ('k1.more' = '2.5')");
    assertThat(
            Sql.rows(connection, "SELECT k1, b FROM \"docs$columns\" WHERE column_name = 'more'"))
        .containsExactly(List.of(2.5, 0.75));
    Sql.run(connection, "ALTER TABLE docs DROP COLUMN title");
    Sql.run(connection, "ALTER TABLE docs ADD COLUMN Title TEXT");
    assertThat(
            Sql.rows(connection, "SELECT k1, b FROM \"docs$columns\" WHERE column_name = 'Title'"))
        .containsExactly(List.of(1.2, 0.75));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CREATE TABLE t (a TEXT) WITH ('k1.a' = '-1')            | k1.a, value=-1
          CREATE TABLE t (a TEXT) WITH ('k1.a' = 'NaN')           | k1.a, value=NaN
          CREATE TABLE t (a TEXT) WITH ('b.a' = '1.5')            | b.a, value=1.5
          CREATE TABLE t (a TEXT) WITH ('b.a' = 'much')           | b.a, value=much
          CREATE TABLE t (a VARCHAR) WITH ('b.a' = '0.5')         | only TEXT columns
          CREATE TABLE t (a TEXT) WITH ('b.c' = '0.5')            | option=b.c
          ALTER TABLE docs ADD COLUMN t TEXT WITH ('b.title' = '1') | option=b.title
          ALTER TABLE docs ADD COLUMN t TEXT WITH ('b.t' = '2')   | b.t, value=2
          """)
  void mistakesAreErrors(String sql, String message) {
    assertThatThrownBy(() -> Sql.run(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42P16"))
        .hasMessageContaining(message);
  }

  /** With k1 = 0 all documents score the same, rounded to an ulp more than the term's weight. */
  @Test
  void leavesWhoseDocumentsTieAreNotPassedOver() throws SQLException {
    Sql.run(connection, "CREATE TABLE z (id BIGINT PRIMARY KEY, t TEXT) WITH ('k1.t' = '0')");
    double weight = StrictMath.log(1 + (100 - 20 + 0.5) / (20 + 0.5));
    assertThat(weight * 81 / 81).isGreaterThan(weight);
    String text = "wing ".repeat(81);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO z VALUES (?, ?)")) {
      for (int i = 0; i < 92; i++) {
        Sql.bind(insert, 1_000 + i, i < 12 ? text : "other words");
        insert.addBatch();
      }
      insert.executeBatch();
      for (int i = 0; i < 8; i++) {
        Sql.bind(insert, i, text);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    assertThat(Sql.column(connection, "SELECT id FROM bm25('z', 't', 'wing', k => 10)"))
        .containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 1_000L, 1_001L);
  }
}
