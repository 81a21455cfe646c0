package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MERGE, against what two loops over a map do. */
class MergeTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT, n INTEGER, v VECTOR(2))");
    Sql.run(connection, "CREATE TABLE news (id BIGINT PRIMARY KEY, title TEXT, n INTEGER)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void randomMergesDoWhatLoopsDo() throws SQLException {
    long seed = 42;
    Random random = new Random(seed);
    Map<Long, List<@Nullable Object>> expected = new TreeMap<>();
    for (int round = 0; round < 25; round++) {
      Map<Long, List<@Nullable Object>> source = source(random);
      boolean updates = random.nextInt(4) > 0;
      boolean inserts = !updates || random.nextInt(4) > 0;
      int added = random.nextInt(10);
      String sql =
          "MERGE INTO docs AS d USING news AS s ON d.id = s.id"
              + (updates ? " WHEN MATCHED THEN UPDATE SET n = d.n + s.n + ?, title = s.title" : "")
              + (inserts ? " WHEN NOT MATCHED THEN INSERT (n, id, v) VALUES (s.n, s.id, ?)" : "");
      List<Object> parameters = new ArrayList<>();
      if (updates) {
        parameters.add(added);
      }
      if (inserts) {
        parameters.add(new float[] {1, added});
      }
      int changed = 0;
      for (Map.Entry<Long, List<@Nullable Object>> row : source.entrySet()) {
        List<@Nullable Object> old = expected.get(row.getKey());
        Integer n = (Integer) row.getValue().get(2);
        if (old != null && updates) {
          Integer before = (Integer) old.get(2);
          Integer sum = before == null || n == null ? null : Integer.valueOf(before + n + added);
          expected.put(
              row.getKey(), Arrays.asList(row.getKey(), row.getValue().get(1), sum, old.get(3)));
          changed++;
        } else if (old == null && inserts) {
          expected.put(
              row.getKey(), Arrays.asList(row.getKey(), null, n, List.of(1f, (float) added)));
          changed++;
        }
      }
      assertThat(Sql.update(connection, sql, parameters.toArray()))
          .as("seed %s round %s: %s", seed, round, sql)
          .isEqualTo(changed);
      assertThat(Sql.rows(connection, "SELECT * FROM docs ORDER BY id"))
          .as("seed %s round %s: %s", seed, round, sql)
          .isEqualTo(List.copyOf(expected.values()));
      if (random.nextInt(5) == 0) {
        Sql.run(connection, "DELETE FROM docs WHERE id < 5");
        expected.keySet().removeIf(id -> id < 5);
      }
    }
  }

  private Map<Long, List<@Nullable Object>> source(Random random) throws SQLException {
    Map<Long, List<@Nullable Object>> rows = new LinkedHashMap<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      long id = random.nextInt(20);
      Integer n = random.nextInt(5) == 0 ? null : Integer.valueOf(random.nextInt(100));
      rows.put(id, Arrays.asList(id, "title " + random.nextInt(100), n));
    }
    Sql.run(connection, "DELETE FROM news");
    for (List<@Nullable Object> row : rows.values()) {
      Sql.update(connection, "INSERT INTO news VALUES (?, ?, ?)", row.toArray());
    }
    return rows;
  }

  @Test
  void parametersAreThoseOfTheirPlacesInTheText() throws SQLException {
    Sql.run(connection, "INSERT INTO docs (id, n) VALUES (1, 10)");
    String sql =
        "MERGE INTO docs d USING (SELECT 1 AS id, CAST(? AS VARCHAR) AS t UNION ALL SELECT 2, 'no') s"
            + " ON d.id = s.id AND d.n < ? AND s.t = 'yes'"
            + " WHEN MATCHED THEN UPDATE SET title = ?, v = ?"
            + " WHEN NOT MATCHED THEN INSERT (id, title, n) VALUES (s.id, ?, ?)";
    assertThat(Sql.update(connection, sql, "yes", 11, "old", new float[] {3, 4}, "new", 7))
        .isEqualTo(2);
    assertThat(Sql.rows(connection, "SELECT * FROM docs ORDER BY id"))
        .containsExactly(
            List.of(1L, "old", 10, List.of(3f, 4f)), Arrays.asList(2L, "new", 7, null));
  }

  @Test
  void aMergeWithAnOlderVersionUndoesChanges() throws SQLException {
    Sql.run(connection, "INSERT INTO docs VALUES (1, 'one', 1, '[1,0]'), (2, 'two', 2, NULL)");
    Sql.run(connection, "UPDATE docs SET title = 'spoilt', v = NULL");
    Sql.run(connection, "DELETE FROM docs WHERE id = 2");
    assertThat(
            Sql.run(
                connection,
                "MERGE INTO docs USING docs FOR VERSION AS OF 2 AS past ON docs.id = past.id"
                    + " WHEN MATCHED THEN UPDATE SET title = past.title, v = past.v"
                    + " WHEN NOT MATCHED THEN INSERT VALUES (past.id, past.title, past.n, past.v)"))
        .isEqualTo(2);
    assertThat(
            Sql.rows(
                connection, "SELECT * FROM docs FOR VERSION AS OF 2 EXCEPT SELECT * FROM docs"))
        .isEmpty();
  }

  @Test
  void aMergeIsPartOfATransaction() throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "INSERT INTO docs (id, n) VALUES (1, 1)");
    String merge =
        "MERGE INTO docs d USING (VALUES (1), (2)) AS s(id) ON d.id = s.id"
            + " WHEN MATCHED THEN UPDATE SET n = d.n + 1"
            + " WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, 0)";
    Sql.run(connection, merge);
    Sql.run(connection, merge);
    assertThat(Sql.rows(connection, "SELECT id, n FROM docs ORDER BY id"))
        .containsExactly(List.of(1L, 3), List.of(2L, 1));
    connection.rollback();
    assertThat(Sql.rows(connection, "SELECT id FROM docs")).isEmpty();
  }

  @Test
  void tablesWithAHiddenKeyMerge() throws SQLException {
    Sql.run(connection, "CREATE TABLE loose (a INTEGER, b VARCHAR)");
    Sql.run(connection, "INSERT INTO loose VALUES (1, 'x'), (1, 'y'), (2, 'z')");
    assertThat(
            Sql.run(
                connection,
                "MERGE INTO loose l USING (VALUES (1), (3)) AS s(a) ON l.a = s.a"
                    + " WHEN MATCHED THEN UPDATE SET b = l.b || '!'"
                    + " WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)"))
        .isEqualTo(3);
    assertThat(Sql.rows(connection, "SELECT a, b FROM loose ORDER BY a, b"))
        .containsExactly(
            List.of(1, "x!"), List.of(1, "y!"), List.of(2, "z"), Arrays.asList(3, null));
  }

  @Test
  void badMergesSayWhatIsWrongAndChangeNothing() throws SQLException {
    Sql.run(connection, "INSERT INTO docs (id, n) VALUES (1, 1)");
    Sql.run(connection, "INSERT INTO news (id) VALUES (5)");
    String using = "MERGE INTO docs d USING (VALUES (1), (1)) AS s(id) ON d.id = s.id ";
    refuses(using + "WHEN MATCHED THEN UPDATE SET n = 5", "21000", "several rows of the source");
    refuses(using + "WHEN MATCHED THEN UPDATE SET m = 5", "42703", "column=m", "did you mean");
    refuses(using + "WHEN MATCHED THEN UPDATE SET n = 5, N = 6", "42701", "column=N");
    refuses(using + "WHEN MATCHED THEN UPDATE SET v = '[1]'", "22023", "given=1, wanted=2");
    refuses(using + "WHEN MATCHED THEN UPDATE SET v = TRUE", "42804", "'v' of type VECTOR(2)");
    refuses(
        "MERGE INTO docs d USING news s ON s.id IS NULL OR d.id = s.id"
            + " WHEN NOT MATCHED THEN INSERT (n) VALUES (1)",
        "23502",
        "column=id");
    refuses(using + "WHEN MATCHED THEN UPDATE SET _row_id = 1", "42703", "_row_id");
    refuses(
        using + "WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id)",
        "42601",
        "columns=2, values=1");
    refuses(
        "MERGE INTO docs d USING (VALUES (7), (7)) AS s(id) ON d.id = s.id"
            + " WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)",
        "23505",
        "value=7");
    refuses(
        "MERGE INTO docz d USING docs s ON d.id = s.id WHEN MATCHED THEN UPDATE SET n = 1",
        "42P01",
        "did you mean docs?");
    refuses(
        "MERGE INTO \"docs$tags\" d USING docs s ON d.version = s.id"
            + " WHEN MATCHED THEN UPDATE SET tag = 'x'",
        "0A000",
        "read only");
    assertThat(Sql.rows(connection, "SELECT id, n, _version FROM docs"))
        .containsExactly(List.of(1L, 1, 2L));
  }

  private void refuses(String sql, String state, String... says) {
    assertThatThrownBy(() -> Sql.run(connection, sql))
        .as(sql)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(state))
        .hasMessageContainingAll(says);
  }
}
