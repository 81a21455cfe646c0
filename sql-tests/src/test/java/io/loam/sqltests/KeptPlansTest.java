package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A statement whose plan is kept does what it would do with a new plan, whatever has changed in the
 * warehouse and in the session since. New plans are those of the same text with another comment.
 */
class KeptPlansTest {
  private static final long SEED = 20261130;

  private static final List<String> QUERIES =
      List.of(
          "SELECT * FROM t ORDER BY id",
          "SELECT count(*), max(n) FROM t WHERE n > 1",
          "SELECT a.id, b.n FROM t AS a JOIN t AS b ON a.n = b.n ORDER BY 1, 2",
          "SELECT * FROM t FOR VERSION AS OF 3",
          "SELECT * FROM t FOR VERSION AS OF 'mark' ORDER BY id",
          "SELECT * FROM t FOR SYSTEM_TIME AS OF TIMESTAMP '2999-01-01 00:00:00' ORDER BY id",
          "SELECT a.id, b.* FROM t AS a LEFT JOIN t FOR VERSION AS OF 'mark' AS b ON a.id = b.id"
              + " ORDER BY a.id",
          "SELECT * FROM vector_search('t', 'v', '[1,0]', k => 3)",
          "SELECT * FROM vector_search('t', 'v', '[1,0]', k => 3) FOR VERSION AS OF 'mark'",
          "SELECT * FROM lab.t ORDER BY id",
          "SELECT * FROM \"t$columns\"",
          "SELECT column_name, type FROM \"t$columns\" FOR VERSION AS OF 'mark'",
          "SELECT version, kind FROM \"t$manifests\" ORDER BY version",
          "SELECT index, kind FROM \"t$segments\"",
          "SELECT tag FROM \"t$tags\"",
          "SELECT k FROM loam_recall('t', 'v', samples => 1, k => 1)",
          "SELECT * FROM t AS a WHERE EXISTS (SELECT 1 FROM \"t$columns\" WHERE position = a.id)",
          "SHOW TABLES",
          "DESCRIBE t");

  private static final List<String> CHANGES =
      List.of(
          "INSERT INTO t (id, n) VALUES (5, 7)",
          "UPDATE t SET n = n WHERE id < 3",
          "DELETE FROM t WHERE id = 2",
          "UPSERT INTO t (id, n) SELECT id, n FROM t");

  /** What happens between two runs of the same texts. */
  private static final List<String> EVENTS =
      List.of(
          "INSERT INTO t (id, n) VALUES (10, 3)",
          "DELETE FROM t WHERE id = 10",
          "ALTER TABLE t ADD COLUMN more VARCHAR",
          "ALTER TABLE t DROP COLUMN more",
          "ALTER TABLE t DROP COLUMN n; ALTER TABLE t ADD COLUMN n DOUBLE; UPDATE t SET n = id / 2e0",
          "DROP TABLE t; CREATE TABLE t (id BIGINT PRIMARY KEY, v VECTOR(2), n VARCHAR);"
              + " INSERT INTO t VALUES (1, '[1,1]', 'b'), (2, '[0,1]', 'a')",
          "DROP TABLE t; CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER, v VECTOR(2));"
              + " INSERT INTO t VALUES (1, 1, '[1,0]'); INSERT INTO t VALUES (2, 3, '[0,1]')",
          "DROP TABLE t",
          "CREATE TABLE IF NOT EXISTS t (id BIGINT PRIMARY KEY)",
          "CREATE TAG mark ON t",
          "DROP TAG mark ON t; CREATE TAG mark ON t",
          "DROP TAG mark ON t",
          "DROP TAG mark ON t; CREATE TAG mark ON t FOR VERSION AS OF 2",
          "CREATE INDEX i ON t (v) USING ivf_flat WITH ('partitions' = '1', 'min_rows' = '1')",
          "DROP INDEX i ON t",
          "schema lab",
          "schema loam",
          "begin",
          "rollback");

  @TempDir Path folder;
  private Connection connection;
  private Connection other;
  private int comments;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    other = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER, v VECTOR(2))");
    Sql.run(connection, "INSERT INTO t VALUES (1, 1, '[1,0]'), (2, 5, '[0,1]'), (3, NULL, NULL)");
    Sql.run(connection, "CREATE TABLE lab.t (id BIGINT PRIMARY KEY, n DECIMAL(4, 1), w VARCHAR)");
    Sql.run(connection, "INSERT INTO lab.t VALUES (7, 2.5, 'x'), (8, 9, 'y')");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    other.close();
  }

  /** The same statement, which has no plan yet. */
  private String anew(String sql) {
    return sql + " /* " + ++comments + " */";
  }

  @Test
  void keptPlansDoWhatNewOnesDo() throws SQLException {
    walk(SEED, EVENTS);
  }

  @Test
  @Tag("long")
  void keptPlansDoWhatNewOnesDoInManyOrders() throws SQLException {
    List<String> twice = new ArrayList<>(EVENTS);
    twice.addAll(EVENTS);
    for (int i = 1; i <= 5; i++) {
      walk(SEED + i, twice);
    }
  }

  private void walk(long seed, List<String> some) throws SQLException {
    List<String> events = new ArrayList<>(some);
    Collections.shuffle(events, new Random(seed));
    List<String> history = new ArrayList<>();
    for (String event : events) {
      history.add(event);
      happen(event);
      for (String sql : QUERIES) {
        assertThat(outcome(sql))
            .as("seed %d, %s after %s", seed, sql, history)
            .isEqualTo(outcome(anew(sql)));
      }
      if (connection.getAutoCommit()) {
        for (String sql : CHANGES) {
          assertThat(change(sql))
              .as("seed %d, %s after %s", seed, sql, history)
              .isEqualTo(change(anew(sql)));
        }
      }
    }
    happen("rollback");
  }

  /** Statements of the session on this connection, others on another one. */
  private void happen(String event) throws SQLException {
    if (event.startsWith("schema ")) {
      connection.setSchema(event.substring("schema ".length()));
    } else if (event.equals("begin")) {
      connection.setAutoCommit(false);
      outcome("INSERT INTO t (id) VALUES (20)");
    } else if (event.equals("rollback")) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } else {
      for (String sql : event.split("; ?", -1)) {
        outcome(other, sql);
      }
    }
  }

  private Object outcome(String sql) {
    return outcome(connection, sql);
  }

  /** Columns and rows, or the SQLSTATE. */
  private static Object outcome(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return statement.getUpdateCount();
      }
      try (ResultSet rows = statement.getResultSet()) {
        ResultSetMetaData columns = rows.getMetaData();
        List<Object> described = new ArrayList<>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          described.add(columns.getColumnLabel(i) + " " + columns.getColumnTypeName(i));
        }
        return List.of(described, Sql.rows(rows));
      }
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  /** What a change does, which is taken back. */
  private Object change(String sql) throws SQLException {
    connection.setAutoCommit(false);
    try {
      Object count = outcome(sql);
      return List.of(count, outcome(QUERIES.get(0)));
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  @Test
  void parametersMayBeOfOtherClassesEachTime() throws SQLException {
    List<@Nullable Object> values = new ArrayList<>();
    values.add(null);
    values.addAll(
        List.of(
            1,
            5L,
            (short) 5,
            "5",
            "x",
            5.0,
            5.5,
            new BigDecimal("5.00"),
            true,
            new float[] {0, 1},
            "[0,1]",
            new UUID(1, 2)));
    for (String sql :
        List.of(
            "SELECT id FROM t WHERE n = ?",
            "SELECT id FROM t WHERE n + 1 > ?",
            "SELECT id FROM t WHERE CAST(n AS VARCHAR) = ?",
            "SELECT CAST(? AS VARCHAR) FROM t",
            "SELECT id FROM t WHERE v IS NOT NULL ORDER BY cosine_distance(v, ?)",
            "SELECT id FROM vector_search('t', 'v', ?, k => 1)")) {
      try (PreparedStatement kept = connection.prepareStatement(sql)) {
        for (int i = 0; i < 3 * values.size(); i++) {
          @Nullable Object value = values.get(i * 5 % values.size());
          try (PreparedStatement fresh = connection.prepareStatement(anew(sql))) {
            assertThat(rows(kept, value))
                .as("%s with %s", sql, value)
                .isEqualTo(rows(fresh, value));
          }
        }
      }
    }
  }

  private static Object rows(PreparedStatement statement, @Nullable Object value) {
    try {
      Sql.bind(statement, value);
      try (ResultSet rows = statement.executeQuery()) {
        return Sql.rows(rows);
      }
    } catch (SQLException e) {
      return String.valueOf(e.getSQLState());
    }
  }

  /** Constants are computed once for each plan, which must fail each time. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT CAST('x' AS BOOLEAN) FROM t",
        "SELECT id FROM t WHERE CAST('x' AS BOOLEAN)",
        "SELECT CAST('x' AS DATE) FROM t",
        "SELECT CAST('x' AS TIME) FROM t",
        "SELECT 1 / 0 FROM t"
      })
  void whatFailsFailsAlikeEachTime(String sql) throws SQLException {
    Object first = outcome(sql);
    assertThat(first).isIn("22P02", "22012");
    assertThat(outcome(sql)).isEqualTo(first);
    try (PreparedStatement kept = connection.prepareStatement(sql)) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> Sql.rows(kept.executeQuery()))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(first));
      }
    }
  }

  @Test
  void mostRowsAreThoseOfTheStatement() throws SQLException {
    for (int most : List.of(0, 1, 2, 0, 1)) {
      try (Statement statement = connection.createStatement()) {
        statement.setMaxRows(most);
        try (ResultSet rows = statement.executeQuery("SELECT id FROM t")) {
          assertThat(Sql.rows(rows)).hasSize(most == 0 ? 3 : most);
        }
      }
    }
  }

  @Test
  void theTimeIsThatOfTheExecution() throws SQLException {
    for (String sql :
        List.of("SELECT CURRENT_TIMESTAMP", "SELECT max(CURRENT_TIMESTAMP) FROM t WHERE n > 0")) {
      Timestamp first = (Timestamp) Sql.column(connection, sql).get(0);
      Timestamp second = first;
      for (int i = 0; i < 1_000 && !second.after(first); i++) {
        second = (Timestamp) Sql.column(connection, sql).get(0);
      }
      assertThat(second).as(sql).isAfter(first);
    }
  }

  @Test
  void readOnlySessionsRefuseWhatOthersPlanned() throws SQLException {
    String sql = "DELETE FROM t WHERE id = 1";
    connection.setReadOnly(true);
    assertThat(outcome(connection, sql)).isEqualTo("25006");
    assertThat(outcome(other, sql)).isEqualTo(1);
    connection.setReadOnly(false);
    assertThat(outcome(connection, sql)).isEqualTo(0);
  }
}
