package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several threads use one connection or one statement, and close it while others use it. */
class ThreadsTest {
  private static final int THREADS = 8;
  private static final int ROWS = 2_000;
  private static final String CANCELLED = "57014";
  private static final String CLOSED = "08003";

  /** Looks at eight milliards of combinations of rows. */
  private static final String LONG_QUERY =
      "SELECT a.id, a.n FROM t a, t b, t c WHERE a.n + b.n + c.n < 0";

  @TempDir Path folder;
  private Connection connection;
  private ExecutorService threads;

  @BeforeEach
  void open() throws SQLException {
    threads = Executors.newFixedThreadPool(THREADS);
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER)");
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
      for (int i = 0; i < ROWS; i++) {
        insert.setLong(1, i);
        insert.setInt(2, i % 10);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterEach
  void close() throws SQLException, InterruptedException {
    connection.close();
    threads.shutdownNow();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  /** Runs the work in all threads at once; what it gave, by thread. */
  private <T> List<T> inAllThreads(Callable<T> work) throws Exception {
    CountDownLatch ready = new CountDownLatch(THREADS);
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      running.add(
          threads.submit(
              () -> {
                ready.countDown();
                ready.await();
                return work.call();
              }));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> result : running) {
      results.add(result.get(120, TimeUnit.SECONDS));
    }
    return results;
  }

  private static int count(ResultSet rows) throws SQLException {
    int count = 0;
    while (rows.next()) {
      assertThat(rows.getInt(2)).isEqualTo((int) (rows.getLong(1) % 10));
      count++;
    }
    return count;
  }

  @Test
  void aResultIsWholeOrEndedByTheNextQueryOfItsStatement() throws Exception {
    try (Statement statement = connection.createStatement()) {
      List<Integer> whole =
          inAllThreads(
              () -> {
                int read = 0;
                for (int round = 0; round < 10; round++) {
                  try {
                    assertThat(count(statement.executeQuery("SELECT id, n FROM t")))
                        .isEqualTo(ROWS);
                    read++;
                  } catch (SQLException e) {
                    assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo(CLOSED);
                  }
                }
                return read;
              });
      assertThat(whole).hasSize(THREADS);
      assertThat(count(statement.executeQuery("SELECT id, n FROM t"))).isEqualTo(ROWS);
    }
  }

  @Test
  void updatesOfOneStatementTakeTurns() throws Exception {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE t SET n = n + ? WHERE id < 5")) {
      update.setInt(1, 1);
      List<Integer> changed =
          inAllThreads(
              () -> {
                int rows = 0;
                for (int round = 0; round < 3; round++) {
                  rows += update.executeUpdate();
                }
                return rows;
              });
      assertThat(changed).containsOnly(15);
    }
    assertThat(Sql.column(connection, "SELECT n FROM t WHERE id < 5 ORDER BY id"))
        .containsExactly(24, 25, 26, 27, 28);
  }

  @Test
  void batchesOfOneStatementLoseNothing() throws Exception {
    try (PreparedStatement insert = connection.prepareStatement("UPSERT INTO t VALUES (?, 0)")) {
      insert.setLong(1, ROWS);
      List<Integer> written =
          inAllThreads(
              () -> {
                int rows = 0;
                for (int i = 0; i < 200; i++) {
                  insert.addBatch();
                  if (i % 100 == 99) {
                    rows += IntStream.of(insert.executeBatch()).sum();
                  }
                }
                return rows;
              });
      written.add(IntStream.of(insert.executeBatch()).sum());
      assertThat(written.stream().mapToInt(Integer::intValue).sum()).isEqualTo(THREADS * 200);
    }
  }

  @Test
  void statementsOfOneConnectionRunBesideEachOther() throws Exception {
    List<Integer> read =
        inAllThreads(
            () -> {
              int rows = 0;
              for (int round = 0; round < 15; round++) {
                try (PreparedStatement query =
                    connection.prepareStatement("SELECT id, n FROM t WHERE n = ?")) {
                  int n = ThreadLocalRandom.current().nextInt(10);
                  query.setInt(1, n);
                  rows += count(query.executeQuery());
                }
              }
              return rows;
            });
    assertThat(read).containsOnly(15 * ROWS / 10);
  }

  @Test
  void batchesOfOneConnectionAreOneCommitEach() throws Exception {
    long before = versions();
    inAllThreads(
        () -> {
          try (PreparedStatement merge =
              connection.prepareStatement("UPDATE t SET n = n + 1 WHERE id = ?")) {
            long thread = Thread.currentThread().getId();
            for (int i = 0; i < 4; i++) {
              merge.setLong(1, thread % ROWS + i * 100L);
              merge.addBatch();
            }
            return merge.executeBatch();
          }
        });
    assertThat(versions() - before).isBetween(1L, (long) THREADS);
  }

  private long versions() throws SQLException {
    return (Long) Sql.column(connection, "SELECT max(version) FROM \"t$manifests\"").get(0);
  }

  @Test
  void threadsShareATransaction() throws Exception {
    connection.setAutoCommit(false);
    inAllThreads(() -> Sql.update(connection, "INSERT INTO t VALUES (?, 1)", ROWS + thread()));
    try (Connection other = Sql.connect(folder)) {
      assertThat(Sql.column(other, "SELECT count(*) FROM t")).containsExactly((long) ROWS);
      connection.commit();
      assertThat(Sql.column(other, "SELECT count(*) FROM t"))
          .containsExactly((long) ROWS + THREADS);
    }
  }

  private static long thread() {
    return Thread.currentThread().getId();
  }

  /** A change that a statement reports is committed, or the statement fails. */
  @Test
  void commitsBesideStatementsLoseNothing() throws Exception {
    connection.setAutoCommit(false);
    List<Integer> changed =
        inAllThreads(
            () -> {
              int rows = 0;
              for (int round = 0; round < 15; round++) {
                try {
                  rows +=
                      Sql.update(
                          connection,
                          "INSERT INTO t VALUES (?, 1)",
                          ROWS + thread() * 1_000 + round);
                } catch (SQLException e) {
                  assertThat(e.getSQLState()).isEqualTo("25P01");
                }
                if (round % 3 == 2) {
                  connection.commit();
                }
              }
              return rows;
            });
    connection.commit();
    long total = changed.stream().mapToInt(Integer::intValue).sum();
    assertThat(Sql.column(connection, "SELECT count(*) FROM t")).containsExactly(ROWS + total);
    connection.commit();
  }

  /** A way to end what another thread runs. */
  private interface End {
    void run(Connection connection, Statement statement, ResultSet rows) throws SQLException;
  }

  private void endsTheRunningQuery(End end) throws Exception {
    Connection other = Sql.connect(folder);
    Statement statement = other.createStatement();
    Future<Integer> running =
        threads.submit(
            () -> {
              try (ResultSet rows = statement.executeQuery(LONG_QUERY)) {
                return count(rows);
              }
            });
    Thread.sleep(300);
    end.run(other, statement, null);
    assertThatThrownBy(() -> running.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(CANCELLED));
    other.close();
    assertThat(statement.isClosed()).isTrue();
    assertThat(other.isClosed()).isTrue();
    assertThat(Sql.column(connection, "SELECT count(*) FROM t")).containsExactly((long) ROWS);
  }

  @Test
  void closingTheConnectionEndsWhatRuns() throws Exception {
    endsTheRunningQuery(
        (c, statement, rows) -> {
          c.close();
          assertThat(c.isClosed()).isTrue();
          assertThat(statement.isClosed()).isTrue();
        });
  }

  @Test
  void closingTheStatementEndsWhatRuns() throws Exception {
    endsTheRunningQuery(
        (c, statement, rows) -> {
          statement.close();
          assertThat(statement.isClosed()).isTrue();
        });
  }

  @Test
  void abortEndsWhatRuns() throws Exception {
    endsTheRunningQuery((c, statement, rows) -> c.abort(Runnable::run));
  }

  @Test
  void abortNeedsAnExecutor() {
    assertThatThrownBy(() -> connection.abort(null))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22023"));
  }

  /** Whatever a thread does while the connection is closed, it works or says that it is closed. */
  @Test
  void aConnectionMayBeClosedAtAnyMoment() throws Exception {
    closeWhileOthersRun(6);
  }

  @Test
  @Tag("long")
  void aConnectionMayBeClosedAtManyMoments() throws Exception {
    closeWhileOthersRun(60);
  }

  private void closeWhileOthersRun(int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      Connection shared = Sql.connect(folder);
      CountDownLatch started = new CountDownLatch(THREADS - 1);
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < THREADS - 1; i++) {
        boolean writes = i == 0;
        running.add(
            threads.submit(
                () -> {
                  started.countDown();
                  return untilClosed(shared, writes);
                }));
      }
      started.await();
      Thread.sleep(ThreadLocalRandom.current().nextInt(60));
      shared.close();
      int written = 0;
      for (Future<Integer> done : running) {
        written += done.get(60, TimeUnit.SECONDS);
      }
      int expected = written;
      assertThat(Sql.column(connection, "SELECT count(*) FROM t WHERE id >= " + ROWS))
          .containsExactly((long) expected);
      Sql.run(connection, "DELETE FROM t WHERE id >= " + ROWS);
    }
  }

  /** The number of rows that it wrote before the connection was closed. */
  private static int untilClosed(Connection shared, boolean writes) {
    int written = 0;
    try {
      while (true) {
        if (writes) {
          written += Sql.update(shared, "INSERT INTO t VALUES (?, 1)", ROWS + written);
        } else {
          try (Statement statement = shared.createStatement()) {
            assertThat(count(statement.executeQuery("SELECT id, n FROM t WHERE id < " + ROWS)))
                .isEqualTo(ROWS);
          }
        }
      }
    } catch (SQLException e) {
      assertThat(Set.of(CLOSED, CANCELLED)).as(e.getMessage()).contains(e.getSQLState());
      return written;
    }
  }
}
