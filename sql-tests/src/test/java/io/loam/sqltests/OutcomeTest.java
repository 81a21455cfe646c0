package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thread may be interrupted, and its statement cancelled, at any moment: what the statement says
 * of its outcome is true.
 */
class OutcomeTest {
  private static final int ROUNDS = 25;
  private static final int MANY_ROUNDS = 200;
  private static final String CANCELLED = "57014";
  private static final String UNKNOWN = "40003";
  private static final Set<String> STATES = Set.of(CANCELLED, UNKNOWN);

  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER, body TEXT)");
    Sql.run(connection, "INSERT INTO t VALUES (-1, 0, 'a wing')");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  /** Does something in a thread of its own, each time some microseconds after it is asked. */
  private static final class Disturber extends Thread implements AutoCloseable {
    private final Semaphore asked = new Semaphore(0);
    private final Semaphore done = new Semaphore(0);
    private final Random random = new Random(7);
    private final Runnable disturbance;

    Disturber(Runnable disturbance) {
      this.disturbance = disturbance;
      setDaemon(true);
      start();
    }

    void ask() {
      asked.release();
    }

    void await() {
      done.acquireUninterruptibly();
    }

    @Override
    public void run() {
      try {
        while (true) {
          asked.acquire();
          long until = System.nanoTime() + random.nextInt(8_000_000);
          while (System.nanoTime() < until) {
            Thread.onSpinWait();
          }
          disturbance.run();
          done.release();
        }
      } catch (InterruptedException e) {
        // closed
      }
    }

    @Override
    public void close() {
      interrupt();
    }
  }

  /** Inserts a row and reads others; whether the row is there is what the statement said. */
  private void insert(PreparedStatement insert, Disturber disturber, int id) throws SQLException {
    insert.setInt(1, id);
    String state = "";
    boolean written = false;
    disturber.ask();
    try {
      written = insert.executeUpdate() == 1;
      assertThat(Sql.column(connection, "SELECT id FROM bm25('t', 'body', 'wing')"))
          .containsExactly(-1L);
    } catch (SQLException e) {
      state = e.getSQLState();
      assertThat(STATES).as(e.getMessage()).contains(state);
    }
    disturber.await();
    boolean interrupted = Thread.interrupted();
    if (!state.equals(UNKNOWN)) {
      assertThat(Sql.column(connection, "SELECT count(*) FROM t WHERE id = " + id))
          .as("row %d, state %s, interrupted %s", id, state, interrupted)
          .containsExactly(written ? 1L : 0L);
    }
  }

  @Test
  void ofInterruptedThreads() throws SQLException {
    interrupt(ROUNDS);
  }

  @Test
  @Tag("long")
  void ofManyInterruptedThreads() throws SQLException {
    interrupt(MANY_ROUNDS);
  }

  private void interrupt(int rounds) throws SQLException {
    Thread thread = Thread.currentThread();
    try (Disturber disturber = new Disturber(thread::interrupt);
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO t VALUES (?, 1, 'a plate')")) {
      for (int id = 0; id < rounds; id++) {
        insert(insert, disturber, id);
      }
    }
  }

  @Test
  void ofCancelledStatements() throws SQLException {
    cancelled(ROUNDS);
  }

  @Test
  @Tag("long")
  void ofManyCancelledStatements() throws SQLException {
    cancelled(MANY_ROUNDS);
  }

  private void cancelled(int rounds) throws SQLException {
    try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO t VALUES (?, 1, 'a plate')");
        Disturber disturber = new Disturber(() -> cancel(insert))) {
      for (int id = 0; id < rounds; id++) {
        insert(insert, disturber, id);
      }
    }
  }

  private static void cancel(PreparedStatement statement) {
    try {
      statement.cancel();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
