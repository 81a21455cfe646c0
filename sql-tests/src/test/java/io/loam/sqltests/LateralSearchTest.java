package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches for each row of another table, against the same searches one by one. */
class LateralSearchTest {
  @TempDir static Path folder;
  private static Connection connection;

  /** A query's id, vector, words and k; vector and words may be null. */
  private static final List<@Nullable Object[]> QUERIES = new ArrayList<>();

  @BeforeAll
  static void load() throws SQLException {
    Random random = new Random(3);
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (" + Row.COLUMNS.formatted(" PRIMARY KEY", "") + ")");
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs VALUES (?" + ", ?".repeat(15) + ")")) {
      for (int i = 0; i < 300; i++) {
        Sql.bind(insert, Row.random(random, i).values());
        insert.addBatch();
      }
      insert.executeBatch();
    }
    Sql.run(
        connection,
        "CREATE TABLE queries (q BIGINT PRIMARY KEY, unused VARCHAR, v VECTOR(11), words VARCHAR,"
            + " k INTEGER)");
    for (long q = 0; q < 9; q++) {
      @Nullable Object[] query = {
        q,
        "x",
        q == 4 ? null : Row.vector(random),
        q == 5 ? null : Row.pick(random, Row.WORDS),
        (int) (1 + q)
      };
      QUERIES.add(query);
      Sql.update(connection, "INSERT INTO queries VALUES (?, ?, ?, ?, ?)", query);
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  /** What a lateral join must give: for each query, by id, the rows of its own search. */
  private static List<List<@Nullable Object>> oneByOne(String search, int... parameters)
      throws SQLException {
    List<List<@Nullable Object>> expected = new ArrayList<>();
    for (@Nullable Object[] query : QUERIES) {
      @Nullable Object[] values = new @Nullable Object[parameters.length];
      boolean missing = false;
      for (int i = 0; i < values.length; i++) {
        values[i] = query[parameters[i]];
        missing |= values[i] == null;
      }
      if (!missing) {
        for (List<@Nullable Object> row :
            Sql.rows(connection, "SELECT id, _score FROM " + search, values)) {
          List<@Nullable Object> joined = new ArrayList<>();
          joined.add(query[0]);
          joined.addAll(row);
          expected.add(joined);
        }
      }
    }
    return expected;
  }

  private static List<List<@Nullable Object>> lateral(String search) throws SQLException {
    return Sql.rows(
        connection,
        "SELECT q.q, s.id, s._score FROM queries q, LATERAL TABLE("
            + search
            + ") AS s ORDER BY q.q, s._score DESC, s.id");
  }

  @Test
  void everyRowHasItsSearch() throws SQLException {
    assertThat(lateral("vector_search('docs', 'v', q.v, 5)"))
        .isEqualTo(oneByOne("vector_search('docs', 'v', ?, 5)", 2));
    assertThat(lateral("bm25('docs', 'body', q.words, k => q.k, filter => 'n < 7')"))
        .isEqualTo(oneByOne("bm25('docs', 'body', ?, k => ?, filter => 'n < 7')", 3, 4));
    assertThat(
            lateral(
                "hybrid(vector_search('docs', 'v', q.v, 20), bm25('docs', 'body', q.words),"
                    + " k => q.k)"))
        .isEqualTo(
            oneByOne(
                "hybrid(vector_search('docs', 'v', ?, 20), bm25('docs', 'body', ?), k => ?)",
                2,
                3,
                4));
  }

  @Test
  void theSearchIsPushedForEachRow() throws SQLException {
    assertThat(
            String.valueOf(
                Sql.column(
                        connection,
                        "EXPLAIN PLAN FOR SELECT q.q, s.id FROM queries q,"
                            + " LATERAL TABLE(vector_search('docs', 'v', q.v, 5)) AS s")
                    .get(0)))
        .contains("Correlate", "search=[vector_search(column => 'v', query => $cor0.v, k => 5)]")
        .contains("output=[id]");
  }

  @Test
  void joinsFiltersAndGroups() throws SQLException {
    List<List<@Nullable Object>> all = oneByOne("vector_search('docs', 'v', ?, 5)", 2);
    assertThat(
            Sql.rows(
                connection,
                "SELECT q.q, count(*) FROM queries q, LATERAL TABLE(vector_search('docs', 'v',"
                    + " q.v, 5)) AS s WHERE q.q < 3 GROUP BY q.q ORDER BY q.q"))
        .isEqualTo(List.of(List.of(0L, 5L), List.of(1L, 5L), List.of(2L, 5L)));
    assertThat(
            Sql.rows(
                connection,
                "SELECT q.q, s.id, s._score FROM queries q CROSS JOIN LATERAL"
                    + " TABLE(vector_search('docs', 'v', q.v, 5)) AS s JOIN docs d ON d.id = s.id"
                    + " ORDER BY q.q, s._score DESC, s.id"))
        .isEqualTo(all);
    assertThat(
            Sql.rows(
                connection,
                "SELECT q.q, s.id FROM queries q LEFT JOIN LATERAL"
                    + " TABLE(vector_search('docs', 'v', q.v, 1)) AS s ON TRUE ORDER BY q.q"))
        .hasSize(9);
    assertThat(
            Sql.rows(
                connection,
                "SELECT * FROM queries q, LATERAL TABLE(vector_search('docs', 'v', q.v, 1)) AS s"))
        .allMatch(row -> row.size() == 5 + 16 + 2);
  }

  @Test
  void errorsSayWhatToDo() {
    assertThatThrownBy(() -> lateral("vector_search('docs', 'v', q.words, 5)"))
        .hasMessageContaining("vector");
    assertThatThrownBy(() -> lateral("vector_search('docs', 'v', q.nothing, 5)"))
        .hasMessageContaining("nothing");
  }
}
