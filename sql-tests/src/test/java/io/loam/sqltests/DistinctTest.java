package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * COUNT DISTINCT while dictionaries of splits hold what is counted, and while they hold more: after
 * deletes, under conditions, and where older splits have no such column.
 */
class DistinctTest {
  @TempDir Path folder;
  private Connection connection;

  /** Live rows by id. */
  private final TreeMap<Long, Row> live = new TreeMap<>();

  private record Row(@Nullable String lang, @Nullable String more, long n) {}

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, lang VARCHAR, n BIGINT)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** Each split has languages of its own and some of others, and one that one row has. */
  private static Row row(long id, boolean more) {
    long split = id / 2_000;
    String lang = id % 2_000 == 77 ? "rare" + split : "l" + (split * 3 + id % 10);
    return new Row(id % 10 == 9 ? null : lang, more ? "m" + id % 4 : null, id % 6);
  }

  private void insert(long from, long to, boolean more) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            more ? "INSERT INTO docs VALUES (?, ?, ?, ?)" : "INSERT INTO docs VALUES (?, ?, ?)")) {
      for (long id = from; id < to; id++) {
        Row row = row(id, more);
        live.put(id, row);
        insert.setLong(1, id);
        insert.setString(2, row.lang);
        insert.setLong(3, row.n);
        if (more) {
          insert.setString(4, row.more);
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private void delete(String where, Predicate<Long> gone) throws SQLException {
    Sql.run(connection, "DELETE FROM docs WHERE " + where);
    live.keySet().removeIf(gone);
  }

  private long distinct(Predicate<Row> kept, Function<Row, @Nullable Object> column) {
    return live.values().stream()
        .filter(kept)
        .map(column)
        .filter(Objects::nonNull)
        .distinct()
        .count();
  }

  /** All ways to count, alone and beside others, which have to look at rows. */
  private void check(boolean more) throws SQLException {
    long rows = live.size();
    long langs = distinct(row -> true, Row::lang);
    long numbers = distinct(row -> true, Row::n);
    expect("count(DISTINCT lang)", "id >= 0", langs);
    expect("count(DISTINCT lang), count(*)", "id >= 0", langs, rows);
    expect("count(DISTINCT n), count(DISTINCT lang)", "n < 9", numbers, langs);
    expect("count(DISTINCT lang)", "n = 1", distinct(row -> row.n == 1, Row::lang));
    expect("count(DISTINCT lang)", "n = 100", 0L);
    if (more) {
      long mores = distinct(row -> true, Row::more);
      expect("count(DISTINCT more)", "id >= 0", mores);
      expect("count(DISTINCT more), count(DISTINCT lang)", "id >= 0", mores, langs);
      expect(
          "count(more), count(DISTINCT more)",
          "id >= 0",
          live.values().stream().filter(row -> row.more != null).count(),
          mores);
    }
    List<List<@Nullable Object>> byNumber = new ArrayList<>();
    for (long n = 0; n < 6; n++) {
      long number = n;
      byNumber.add(List.of(n, distinct(row -> row.n == number, Row::lang)));
    }
    assertThat(
            Sql.rows(connection, "SELECT n, count(DISTINCT lang) FROM docs GROUP BY n ORDER BY n"))
        .isEqualTo(byNumber);
  }

  private void expect(String calls, String where, Object... counts) throws SQLException {
    for (String condition : List.of("", " WHERE " + where)) {
      if (condition.isEmpty() && where.startsWith("n =")) {
        continue;
      }
      String sql = "SELECT " + calls + " FROM docs" + condition;
      assertThat(Sql.rows(connection, sql)).as(sql).isEqualTo(List.of(List.of(counts)));
      assertThat(Sql.column(connection, "EXPLAIN PLAN FOR " + sql).toString())
          .contains("groups=[")
          .doesNotContain("Aggregate");
    }
  }

  @Test
  void p6_countsAreThoseOfLiveRowsWhateverDictionariesHold() throws SQLException {
    assertThat(Sql.column(connection, "SELECT count(DISTINCT lang) FROM docs")).containsExactly(0L);
    insert(0, 1_200, false);
    insert(2_000, 3_200, false);
    check(false);
    // The tail has a language of its own.
    insert(4_000, 4_100, false);
    check(false);
    // The only row of its language; the split's dictionary still has it.
    delete("id = 77", id -> id == 77);
    check(false);
    delete("lang = 'l3'", id -> "l3".equals(row(id, false).lang));
    check(false);
    Sql.run(connection, "ALTER TABLE docs ADD COLUMN more VARCHAR");
    check(true);
    insert(6_000, 7_200, true);
    check(true);
    delete("more = 'm2'", id -> id >= 6_000 && "m2".equals(row(id, true).more));
    check(true);
    Sql.run(connection, "CALL loam.optimize('docs', 'tail')");
    check(true);
    Sql.run(connection, "CALL loam.optimize('docs')");
    check(true);
  }

  @Test
  void nothingButDeletedRowsIsNothing() throws SQLException {
    insert(0, 1_200, false);
    delete("id >= 0", id -> true);
    expect("count(DISTINCT lang)", "id >= 0", 0L);
    expect("count(DISTINCT lang), count(*)", "id >= 0", 0L, 0L);
  }
}
