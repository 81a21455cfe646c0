package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions of several statements, over JDBC. */
class TransactionTest {
  @TempDir Path folder;
  private Connection connection;
  private Connection other;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    other = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER)");
    Sql.run(connection, "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    other.close();
  }

  private static List<List<@Nullable Object>> all(Connection connection) throws SQLException {
    return Sql.rows(connection, "SELECT id, n FROM t ORDER BY id");
  }

  private static List<Long> ids(Connection connection) throws SQLException {
    return all(connection).stream().map(row -> (Long) row.get(0)).toList();
  }

  private static long version(Connection connection, String table) throws SQLException {
    return (Long)
        Sql.column(connection, "SELECT max(version) FROM \"" + table + "$manifests\"").get(0);
  }

  private static void assertFails(String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(state));
  }

  @Test
  void ownChangesAreSeenAtOnceAndByOthersAtCommit() throws SQLException {
    long version = version(connection, "t");
    connection.setAutoCommit(false);
    Sql.run(connection, "INSERT INTO t VALUES (4, 40), (5, 50)");
    Sql.run(connection, "UPDATE t SET n = n + 1 WHERE id IN (1, 4)");
    assertThat(Sql.run(connection, "DELETE FROM t WHERE id = 2 OR n = 50")).isEqualTo(2);
    Sql.run(connection, "UPSERT INTO t VALUES (3, 33), (6, 60)");
    List<List<Object>> changed =
        List.of(List.of(1L, 11), List.of(3L, 33), List.of(4L, 41), List.of(6L, 60));
    assertThat(all(connection)).isEqualTo(changed);
    assertThat(Sql.column(connection, "SELECT count(*) FROM t")).containsExactly(4L);
    assertThat(Sql.column(connection, "SELECT sum(n) FROM t WHERE id > 1")).containsExactly(134L);
    assertThat(Sql.column(connection, "SELECT a.n FROM t a JOIN t b ON a.id = b.id + 1 ORDER BY 1"))
        .containsExactly(41);
    assertThat(ids(other)).containsExactly(1L, 2L, 3L);
    connection.commit();
    assertThat(all(other)).isEqualTo(changed);
    assertThat(version(other, "t")).isEqualTo(version + 1);
  }

  @Test
  void rollbackAndCloseForgetChanges() throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "DELETE FROM t");
    assertThat(ids(connection)).isEmpty();
    connection.rollback();
    assertThat(ids(connection)).containsExactly(1L, 2L, 3L);
    Sql.run(connection, "DELETE FROM t WHERE id = 1");
    connection.close();
    assertThat(ids(other)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void turningAutoCommitOnCommits() throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "DELETE FROM t WHERE id = 1");
    connection.setAutoCommit(false); // nothing changes
    assertThat(ids(other)).hasSize(3);
    connection.setAutoCommit(true);
    assertThat(ids(other)).containsExactly(2L, 3L);
    Sql.run(connection, "DELETE FROM t WHERE id = 2");
    assertThat(ids(other)).containsExactly(3L);
  }

  @Test
  void allStatementsReadOneVersion() throws SQLException {
    connection.setAutoCommit(false);
    assertThat(ids(connection)).hasSize(3);
    Sql.run(other, "DELETE FROM t WHERE id = 1");
    assertThat(ids(connection)).hasSize(3);
    assertThat(Sql.run(connection, "UPDATE t SET n = 0 WHERE id = 2")).isEqualTo(1);
    assertThat(ids(connection)).hasSize(3);
    connection.commit();
    assertThat(ids(connection)).containsExactly(2L, 3L);
  }

  @Test
  void theFirstToCommitWins() throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "UPDATE t SET n = n + 1 WHERE id = 1");
    Sql.run(other, "UPDATE t SET n = 100 WHERE id = 1");
    assertFails("40001", () -> connection.commit());
    assertThat(all(connection).get(0)).containsExactly(1L, 100); // a new transaction
    Sql.run(connection, "DELETE FROM t WHERE id = 1");
    Sql.run(other, "DELETE FROM t WHERE id = 1");
    assertFails("40001", () -> connection.commit());
    Sql.run(connection, "UPSERT INTO t VALUES (7, 1)");
    Sql.run(other, "UPSERT INTO t VALUES (7, 2)");
    assertFails("40001", () -> connection.commit());
    Sql.run(connection, "UPSERT INTO t VALUES (7, 1)");
    Sql.run(other, "DELETE FROM t WHERE id = 7");
    assertFails("40001", () -> connection.commit());
    Sql.run(connection, "INSERT INTO t VALUES (8, 1)");
    Sql.run(other, "INSERT INTO t VALUES (8, 2)");
    assertFails("23505", () -> connection.commit());
    Sql.run(connection, "DELETE FROM t WHERE id = 2");
    Sql.run(connection, "INSERT INTO t VALUES (2, 1)");
    Sql.run(other, "UPDATE t SET n = 2 WHERE id = 2");
    assertFails("40001", () -> connection.commit());
    Sql.run(connection, "UPDATE t SET n = 5 WHERE id = 2");
    Sql.run(other, "UPDATE t SET n = 6 WHERE id = 3");
    connection.commit();
    assertThat(all(other)).isEqualTo(List.of(List.of(2L, 5), List.of(3L, 6), List.of(8L, 2)));
  }

  @Test
  void aFailingStatementLeavesTheTransactionAsItWas() throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "INSERT INTO t VALUES (4, 40)");
    assertFails("23505", () -> Sql.run(connection, "INSERT INTO t VALUES (5, 50), (4, 41)"));
    assertFails("23505", () -> Sql.run(connection, "INSERT INTO t VALUES (6, 60), (1, 41)"));
    assertFails("22012", () -> Sql.run(connection, "UPDATE t SET n = 1 / (n - 30)"));
    assertFails("42P01", () -> Sql.run(connection, "DELETE FROM nowhere"));
    connection.commit();
    assertThat(all(other))
        .isEqualTo(List.of(List.of(1L, 10), List.of(2L, 20), List.of(3L, 30), List.of(4L, 40)));
  }

  @Test
  void whatATransactionCannotHoldIsRefused() throws SQLException {
    Sql.run(connection, "CREATE TABLE u (id BIGINT PRIMARY KEY)");
    assertFails("25P01", () -> connection.commit());
    assertFails("25P01", () -> connection.rollback());
    connection.setAutoCommit(false);
    assertFails("25001", () -> Sql.run(connection, "CREATE TABLE v (id BIGINT PRIMARY KEY)"));
    assertFails("25001", () -> Sql.run(connection, "DROP TABLE u"));
    for (String ddl :
        List.of(
            "CREATE INDEX i ON t (n) USING ivf_sq",
            "DROP INDEX i ON t",
            "CREATE TAG v1 ON t",
            "DROP TAG v1 ON t",
            "ALTER INDEX i ON t REBUILD",
            "ALTER TABLE t ADD COLUMN c INT")) {
      assertThatThrownBy(() -> Sql.run(connection, ddl))
          .hasMessageEndingWith(
              "statement cannot be part of a transaction: statement="
                  + ddl.replaceAll("(\\w+ \\w+) .*", "$1")
                  + "; COMMIT first, and run it in auto-commit mode");
    }
    Sql.run(connection, "INSERT INTO t VALUES (4, 40)");
    assertFails("0A000", () -> Sql.run(connection, "INSERT INTO u VALUES (1)"));
    assertThat(Sql.column(connection, "SELECT count(*) FROM u")).containsExactly(0L);
    assertFails("0A000", () -> connection.setSavepoint());
    assertFails("25001", () -> connection.setReadOnly(true));
    connection.commit();
    Sql.run(connection, "INSERT INTO u VALUES (1)");
    connection.commit();
    assertThat(ids(other)).contains(4L);
    assertThat(Sql.column(other, "SELECT id FROM u")).containsExactly(1L);
  }

  @Test
  void aTableThatWasDroppedIsNotWritten() throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "INSERT INTO t VALUES (4, 40)");
    Sql.run(other, "DROP TABLE t");
    Sql.run(other, "CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER)");
    assertFails("40001", () -> connection.commit());
    assertThat(ids(connection)).isEmpty();
  }

  @Test
  void readOnlyConnectionsDoNotWrite() throws SQLException {
    connection.setReadOnly(true);
    assertThat(connection.isReadOnly()).isTrue();
    assertFails("25006", () -> Sql.run(connection, "DELETE FROM t"));
    assertFails("25006", () -> Sql.run(connection, "INSERT INTO t VALUES (9, 9)"));
    assertFails("25006", () -> Sql.run(connection, "DROP TABLE t"));
    connection.setAutoCommit(false);
    assertFails("25006", () -> Sql.run(connection, "UPDATE t SET n = 1"));
    assertThat(ids(connection)).hasSize(3);
    connection.commit();
    connection.setReadOnly(false);
    assertThat(Sql.run(connection, "DELETE FROM t")).isEqualTo(3);
  }

  @Test
  void cursorsStayOpenAcrossCommitAndLaterChanges() throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "INSERT INTO t VALUES (4, 40)");
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM t ORDER BY id")) {
      assertThat(rows.next()).isTrue();
      Sql.run(connection, "DELETE FROM t");
      connection.commit();
      List<Long> rest = new ArrayList<>();
      while (rows.next()) {
        rest.add(rows.getLong(1));
      }
      assertThat(rest).containsExactly(2L, 3L, 4L);
    }
    assertThat(ids(other)).isEmpty();
  }

  @Test
  void metadataSaysWhatTransactionsDo() throws SQLException {
    DatabaseMetaData metaData = connection.getMetaData();
    assertThat(metaData.supportsTransactions()).isTrue();
    assertThat(metaData.supportsMultipleTransactions()).isTrue();
    assertThat(metaData.supportsSavepoints()).isFalse();
    assertThat(metaData.supportsDataManipulationTransactionsOnly()).isTrue();
    assertThat(metaData.supportsDataDefinitionAndDataManipulationTransactions()).isFalse();
    assertThat(metaData.dataDefinitionCausesTransactionCommit()).isFalse();
    assertThat(metaData.dataDefinitionIgnoredInTransactions()).isFalse();
    assertThat(metaData.getDefaultTransactionIsolation())
        .isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(metaData.supportsTransactionIsolationLevel(Connection.TRANSACTION_SERIALIZABLE))
        .isFalse();
    assertThat(connection.getTransactionIsolation())
        .isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    assertThat(metaData.supportsOpenCursorsAcrossCommit()).isTrue();
    assertThat(metaData.supportsOpenCursorsAcrossRollback()).isTrue();
  }

  @Test
  void preparedUpdatesAndDeletesInABatchAreOneCommit() throws SQLException {
    long version = version(connection, "t");
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE t SET n = n + ? WHERE id <= ?")) {
      for (int i = 1; i <= 3; i++) {
        Sql.bind(update, i, (long) i);
        update.addBatch();
      }
      assertThat(update.executeBatch()).containsExactly(1, 2, 3);
      assertThat(all(other)).isEqualTo(List.of(List.of(1L, 16), List.of(2L, 25), List.of(3L, 33)));
      assertThat(version(other, "t")).isEqualTo(version + 1);
      Sql.bind(update, 1, 3L);
      update.addBatch();
      Sql.bind(update, Integer.MAX_VALUE, 3L);
      update.addBatch();
      assertThatThrownBy(update::executeBatch)
          .isInstanceOfSatisfying(
              BatchUpdateException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo("22003");
                assertThat(e.getUpdateCounts()).isEmpty();
              });
      assertThat(version(other, "t")).isEqualTo(version + 1);
      connection.setAutoCommit(false);
      Sql.bind(update, 1, 1L);
      update.addBatch();
      Sql.bind(update, Integer.MAX_VALUE, 3L);
      update.addBatch();
      assertThatThrownBy(update::executeBatch)
          .isInstanceOfSatisfying(
              BatchUpdateException.class, e -> assertThat(e.getUpdateCounts()).containsExactly(1));
      connection.commit();
      assertThat(all(other).get(0)).containsExactly(1L, 17);
      connection.setAutoCommit(true);
    }
    try (PreparedStatement delete = connection.prepareStatement("DELETE FROM t WHERE id = ?")) {
      for (long id : new long[] {1, 3, 9}) {
        Sql.bind(delete, id);
        delete.addBatch();
      }
      assertThat(delete.executeBatch()).containsExactly(1, 1, 0);
    }
    assertThat(ids(other)).containsExactly(2L);
    assertThat(version(other, "t")).isEqualTo(version + 3);
  }

  /** Asks everything that depends on which documents there are; scores must not differ in a bit. */
  private static List<Object> answers(Connection connection, String table) throws SQLException {
    List<Object> answers = new ArrayList<>();
    String columns = "id, code, n, x, price, born, seen, ref, lang, body, tags, extra, v, s";
    for (String query :
        List.of(
            "SELECT " + columns + " FROM %s ORDER BY id, code",
            "SELECT id, _source FROM %s WHERE n < 5 ORDER BY id, body",
            "SELECT count(*), count(n), sum(x), min(code), max(seen) FROM %s",
            "SELECT lang, count(*), sum(n) FROM %s GROUP BY lang ORDER BY lang",
            "SELECT id, body, v, _score FROM bm25('%s', 'body', 'wing plate', 400)",
            "SELECT id, _score FROM bm25('%s', 'body', '\"wing plate\" heat', 30, filter => 'n > 3')",
            "SELECT id, s, _score FROM sparse_match('%s', 's', '{\"1000\":1.5,\"5000\":0.25}', 400)",
            "SELECT id, lang, _score, _distance FROM vector_search('%s', 'v',"
                + " '[1,0,2,0,3,0,4,0,5,0,6]', 400)",
            "SELECT id, _score, _rank_1, _rank_2 FROM hybrid(bm25('%s', 'body', 'heat'),"
                + " vector_search('%s', 'v', '[1,1,1,1,1,1,1,1,1,1,1]'), k => 50)",
            "SELECT a.id, b.code FROM %s a JOIN %s b ON a.id = b.id + 1 WHERE b.ok ORDER BY 1, 2")) {
      answers.add(Sql.rows(connection, query.replace("%s", table)));
    }
    return answers;
  }

  @ParameterizedTest
  @ValueSource(strings = {"number", "text", "none"})
  void whatATransactionReadsIsWhatItsCommitGives(String key) throws SQLException {
    Random random = new Random(key.hashCode());
    String table = "k_" + key;
    String primary = " PRIMARY KEY";
    Sql.run(
        connection,
        "CREATE TABLE "
            + table
            + " ("
            + Row.COLUMNS.formatted(
                key.equals("number") ? primary : "", key.equals("text") ? primary : "")
            + ")");
    insert(table, random, 0, 1_100);
    insert(table, random, 1_100, 1_250);
    int next = 1_250;
    connection.setAutoCommit(false);
    for (int round = 0; round < 4; round++) {
      List<Object> before = answers(other, table);
      for (int statement = 0; statement < 6; statement++) {
        switch (random.nextInt(4)) {
          case 0 -> {
            int count = 1 + random.nextInt(40);
            insert(table, random, next, next + count);
            next += count;
          }
          case 1 ->
              Sql.run(
                  connection,
                  "UPDATE "
                      + table
                      + " SET n = n + 1, lang = 'xx', body = 'wing heat heat'"
                      + " WHERE id < "
                      + next
                      + " AND id > "
                      + (next - 60 - random.nextInt(60))
                      + " AND n > "
                      + random.nextInt(8));
          case 2 ->
              Sql.run(
                  connection,
                  "DELETE FROM "
                      + table
                      + " WHERE id IN ("
                      + random.nextInt(next)
                      + ", "
                      + random.nextInt(next)
                      + ", "
                      + (next - 1)
                      + ")");
          default -> {
            if (!key.equals("none")) {
              upsert(table, random, random.nextInt(next));
              upsert(table, random, next++);
            }
          }
        }
        if (statement % 3 == 1) {
          answers(connection, table);
        }
      }
      List<Object> inside = answers(connection, table);
      assertThat(answers(other, table)).as("not committed").isEqualTo(before);
      connection.commit();
      List<Object> committed = answers(other, table);
      for (int i = 0; i < committed.size(); i++) {
        assertThat(inside.get(i)).as("round %d, answer %d", round, i).isEqualTo(committed.get(i));
      }
    }
  }

  private void insert(String table, Random random, int from, int to) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO " + table + " VALUES (?" + ", ?".repeat(15) + ")")) {
      for (int i = from; i < to; i++) {
        Sql.bind(insert, Row.random(random, i).values());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private void upsert(String table, Random random, long id) throws SQLException {
    Sql.update(
        connection,
        "UPSERT INTO " + table + " VALUES (?" + ", ?".repeat(15) + ")",
        Row.random(random, id).values());
  }

  /** Threads that add one at a time to the same few rows: no addition is lost. */
  @Test
  void noUpdateIsLost() throws Exception {
    int threads = 8;
    int each = 6;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> conflicts = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Random random = new Random(t);
        conflicts.add(executor.submit((Callable<Integer>) () -> addOnes(random, each)));
      }
      int all = 0;
      for (Future<Integer> future : conflicts) {
        all += future.get();
      }
      assertThat(all).as("conflicts").isPositive();
    } finally {
      executor.shutdownNow();
    }
    assertThat(Sql.column(other, "SELECT sum(n) FROM t WHERE id < 3"))
        .containsExactly(30 + (long) threads * each);
  }

  /** Gives how often another was faster. */
  private int addOnes(Random random, int times) throws SQLException {
    int conflicts = 0;
    try (Connection own = Sql.connect(folder)) {
      own.setAutoCommit(false);
      for (int done = 0; done < times; ) {
        long id = 1L + random.nextInt(2);
        try {
          int n = (Integer) Sql.column(own, "SELECT n FROM t WHERE id = ?", id).get(0);
          Sql.update(own, "UPDATE t SET n = ? WHERE id = ?", n + 1, id);
          own.commit();
          done++;
        } catch (SQLException e) {
          assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("40001");
          conflicts++;
        }
      }
    }
    return conflicts;
  }
}
