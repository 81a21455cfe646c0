package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MERGE with several clauses and their conditions: the first that is for a row decides. */
class MergeClausesTest {
  private static final int KEYS = 12;

  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, n INTEGER, s VARCHAR)");
    Sql.run(connection, "CREATE TABLE news (id BIGINT PRIMARY KEY, n INTEGER)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /**
   * A clause.
   *
   * @param below it is for rows of the source with less than this, or for all if null
   */
  private record Clause(String action, @Nullable Integer below) {
    static Clause random(Random random) {
      return new Clause(
          List.of("UPDATE", "DELETE", "INSERT").get(random.nextInt(3)),
          random.nextInt(4) == 0 ? null : Integer.valueOf(random.nextInt(60)));
    }

    boolean isFor(boolean matched, @Nullable Integer n) {
      return matched != action.equals("INSERT") && (below == null || (n != null && n < below));
    }

    String sql(int number) {
      String condition = below == null ? "" : " AND s.n < ?";
      return switch (action) {
        case "UPDATE" ->
            " WHEN MATCHED" + condition + " THEN UPDATE SET n = d.n + s.n, s = 'u" + number + "'";
        case "DELETE" -> " WHEN MATCHED" + condition + " THEN DELETE";
        default ->
            " WHEN NOT MATCHED"
                + condition
                + " THEN INSERT (s, id, n) VALUES ('i"
                + number
                + "', s.id, 2 * s.n)";
      };
    }
  }

  @Test
  void randomMergesDoWhatLoopsDo() throws SQLException {
    long seed = 7;
    Random random = new Random(seed);
    Map<Long, List<@Nullable Object>> rows = new TreeMap<>();
    for (int round = 0; round < 30; round++) {
      Map<Long, @Nullable Integer> source = source(random);
      List<Clause> clauses = new ArrayList<>();
      StringBuilder sql = new StringBuilder("MERGE INTO docs d USING news s ON d.id = s.id");
      List<Object> parameters = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        Clause clause = Clause.random(random);
        sql.append(clause.sql(clauses.size()));
        clauses.add(clause);
        if (clause.below() != null) {
          parameters.add(clause.below());
        }
      }
      int changed = 0;
      for (Map.Entry<Long, @Nullable Integer> row : source.entrySet()) {
        changed += apply(clauses, row.getKey(), row.getValue(), rows) ? 1 : 0;
      }
      assertThat(Sql.update(connection, sql.toString(), parameters.toArray()))
          .as("seed %s round %s: %s %s", seed, round, sql, parameters)
          .isEqualTo(changed);
      assertThat(Sql.rows(connection, "SELECT * FROM docs ORDER BY id"))
          .as("seed %s round %s: %s %s", seed, round, sql, parameters)
          .isEqualTo(List.copyOf(rows.values()));
    }
  }

  private static boolean apply(
      List<Clause> clauses, Long id, @Nullable Integer n, Map<Long, List<@Nullable Object>> rows) {
    List<@Nullable Object> old = rows.get(id);
    for (int i = 0; i < clauses.size(); i++) {
      if (!clauses.get(i).isFor(old != null, n)) {
        continue;
      }
      switch (clauses.get(i).action()) {
        case "UPDATE" -> {
          Integer before = (Integer) old.get(1);
          Integer sum = before == null || n == null ? null : Integer.valueOf(before + n);
          rows.put(id, Arrays.asList(id, sum, "u" + i));
        }
        case "DELETE" -> rows.remove(id);
        default -> rows.put(id, Arrays.asList(id, n == null ? null : 2 * n, "i" + i));
      }
      return true;
    }
    return false;
  }

  private Map<Long, @Nullable Integer> source(Random random) throws SQLException {
    Map<Long, @Nullable Integer> rows = new TreeMap<>();
    Sql.run(connection, "DELETE FROM news");
    for (int i = random.nextInt(8); i >= 0; i--) {
      rows.put(
          (long) random.nextInt(KEYS),
          random.nextInt(5) == 0 ? null : Integer.valueOf(random.nextInt(60)));
    }
    List<String> values = new ArrayList<>();
    rows.forEach((id, n) -> values.add("(" + id + ", " + n + ")"));
    Sql.run(connection, "INSERT INTO news VALUES " + String.join(", ", values));
    return rows;
  }

  @Test
  void valuesAreComputedOnlyWhereTheirClauseIsForTheRow() throws SQLException {
    Sql.run(connection, "INSERT INTO docs VALUES (1, 1, 'a'), (2, 2, 'b')");
    String merge =
        "MERGE INTO docs d USING (VALUES (1, 0, 'x'), (2, 5, '12'), (3, 0, 'y'), (4, 4, '7')) AS s(id, n, t)"
            + " ON d.id = s.id"
            + " WHEN MATCHED AND s.n <> 0 THEN UPDATE SET n = 10 / s.n + CAST(s.t AS INTEGER)"
            + " WHEN NOT MATCHED AND s.n <> 0 THEN INSERT (id, n) VALUES (s.id, 20 / s.n)";
    assertThat(Sql.run(connection, merge)).isEqualTo(2);
    assertThat(Sql.rows(connection, "SELECT id, n FROM docs ORDER BY id"))
        .containsExactly(List.of(1L, 1), List.of(2L, 14), List.of(4L, 5));
  }

  @Test
  void conditionsTakeSubqueriesAndBothTables() throws SQLException {
    Sql.run(connection, "INSERT INTO docs VALUES (1, 1, 'a'), (2, 20, 'b'), (3, NULL, 'c')");
    Sql.run(connection, "INSERT INTO news VALUES (1, 5), (2, 5), (3, 5), (4, 5), (5, 9)");
    String merge =
        "MERGE INTO docs USING news AS s ON docs.id = s.id"
            + " WHEN MATCHED AND docs.n > s.n AND EXISTS (SELECT 1 FROM docs x WHERE x.s = 'b')"
            + " THEN DELETE"
            + " WHEN MATCHED AND docs.n IS NULL THEN UPDATE SET n = s.n, s = ?"
            + " WHEN NOT MATCHED AND s.n = (SELECT max(n) FROM news) THEN INSERT VALUES (s.id, s.n, 'new')";
    assertThat(Sql.update(connection, merge, "set")).isEqualTo(3);
    assertThat(Sql.rows(connection, "SELECT * FROM docs ORDER BY id"))
        .containsExactly(List.of(1L, 1, "a"), List.of(3L, 5, "set"), List.of(5L, 9, "new"));
  }

  @Test
  void aKeyMayBeDeletedAndInsertedAtOnce() throws SQLException {
    Sql.run(connection, "INSERT INTO docs VALUES (1, 1, 'old')");
    String merge =
        "MERGE INTO docs d USING (VALUES (1, 1), (7, 1)) AS s(id, newid) ON d.id = s.id"
            + " WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.newid, 2, 'new')";
    assertThat(Sql.run(connection, merge)).isEqualTo(2);
    assertThat(Sql.rows(connection, "SELECT * FROM docs")).containsExactly(List.of(1L, 2, "new"));
  }

  @Test
  void aMergeInATransactionDeletesItsOwnRows() throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "INSERT INTO docs VALUES (1, 1, 'a'), (2, 2, 'b')");
    Sql.run(
        connection,
        "MERGE INTO docs d USING (VALUES 1, 2, 3) AS s(id) ON d.id = s.id"
            + " WHEN MATCHED AND d.n = 1 THEN DELETE WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)");
    connection.commit();
    assertThat(Sql.column(connection, "SELECT id FROM docs ORDER BY id")).containsExactly(2L, 3L);
  }

  @Test
  void rowsThatNoClauseIsForMayMatchAgain() throws SQLException {
    Sql.run(connection, "INSERT INTO docs VALUES (1, 1, 'a')");
    String merge =
        "MERGE INTO docs d USING (VALUES (1, 1), (1, 2), (1, 3)) AS s(id, n) ON d.id = s.id"
            + " WHEN MATCHED AND s.n > %d THEN UPDATE SET n = s.n";
    assertThat(Sql.run(connection, merge.formatted(2))).isEqualTo(1);
    assertThatThrownBy(() -> Sql.run(connection, merge.formatted(1)))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("21000"));
    assertThat(Sql.column(connection, "SELECT n FROM docs")).containsExactly(3);
  }

  @Test
  void explainShowsTheClauses() throws SQLException {
    assertThat(
            Sql.column(
                    connection,
                    "EXPLAIN PLAN FOR MERGE INTO docs d USING news s ON d.id = s.id"
                        + " WHEN MATCHED AND s.n > 0 THEN DELETE WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)")
                .toString())
        .contains("mode=[merge]", "clauses=[[DELETE, INSERT]]");
  }

  @Test
  void whatMergeHasNotIsASyntaxError() {
    String merge = "MERGE INTO docs d USING news s ON d.id = s.id ";
    for (String clause :
        List.of(
            "",
            "WHEN NOT MATCHED THEN DELETE",
            "WHEN NOT MATCHED THEN UPDATE SET n = 1",
            "WHEN MATCHED THEN INSERT (id) VALUES (1)",
            "WHEN MATCHED AND THEN DELETE",
            "WHEN NOT MATCHED BY SOURCE THEN DELETE")) {
      assertThatThrownBy(() -> Sql.run(connection, merge + clause))
          .as(clause)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42601"));
    }
    assertThatThrownBy(() -> Sql.run(connection, merge + "WHEN MATCHED AND s.nn > 1 THEN DELETE"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42703"));
    assertThatThrownBy(() -> Sql.run(connection, merge + "WHEN MATCHED AND s.n THEN DELETE"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42804"));
  }
}
