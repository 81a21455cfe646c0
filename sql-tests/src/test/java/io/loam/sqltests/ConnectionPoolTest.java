package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool of few connections, used by many threads that read and write. */
class ConnectionPoolTest {
  private static final int THREADS = 16;
  private static final int CONNECTIONS = 5;
  private static final int ROUNDS = 12;

  @TempDir Path folder;

  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:loam:" + folder);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setConnectionTimeout(120_000);
    return new HikariDataSource(config);
  }

  @Test
  void manyThreadsReadAndWriteThroughAPool() throws Exception {
    AtomicLong nextId = new AtomicLong();
    try (HikariDataSource pool = pool()) {
      try (Connection connection = pool.getConnection()) {
        Sql.run(
            connection,
            "CREATE TABLE docs"
                + " (id BIGINT PRIMARY KEY, worker INTEGER, body TEXT, v VECTOR(2), s SPARSEVECTOR)");
      }
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      List<Future<?>> results = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int worker = t;
        results.add(
            threads.submit(
                () -> {
                  work(pool, worker, nextId);
                  return null;
                }));
      }
      threads.shutdown();
      for (Future<?> result : results) {
        result.get();
      }
      try (Connection connection = pool.getConnection()) {
        assertThat(Sql.rows(connection, "SELECT count(*), count(DISTINCT id) FROM docs"))
            .containsExactly(List.of(nextId.get(), nextId.get()));
        assertThat(
                Sql.rows(
                    connection, "SELECT count(*) FROM bm25('docs', 'body', 'wing', k => 1000)"))
            .containsExactly(List.of(nextId.get()));
      }
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  /** Each round takes a connection that others used before, whatever they left it in. */
  private static void work(HikariDataSource pool, int worker, AtomicLong nextId)
      throws SQLException {
    for (int round = 0; round < ROUNDS; round++) {
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.getAutoCommit()).isTrue();
        assertThat(connection.isReadOnly()).isFalse();
        switch (round % 4) {
          case 0 -> insert(connection, worker, nextId.incrementAndGet());
          case 1 -> {
            connection.setAutoCommit(false);
            insert(connection, worker, -worker - 1L); // rolled back by the pool
          }
          case 2 -> {
            connection.setReadOnly(true);
            assertThat(read(connection)).isPositive();
          }
          default -> {
            connection.setAutoCommit(false);
            insert(connection, worker, nextId.incrementAndGet());
            connection.commit();
          }
        }
      }
    }
  }

  private static void insert(Connection connection, int worker, long id) throws SQLException {
    Sql.update(
        connection,
        "INSERT INTO docs VALUES (?, ?, 'a wing', ?, '{\"1\": 0.5}')",
        id,
        worker,
        new float[] {worker, 1});
  }

  /** Reads and searches in one statement, which sees one version. */
  private static long read(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement(
                "SELECT (SELECT count(*) FROM docs), (SELECT count(id) FROM docs WHERE id > 0),"
                    + " (SELECT count(*) FROM bm25('docs', 'body', 'wing', k => 1000)),"
                    + " (SELECT count(*) FROM docs WHERE match(body, 'wing')),"
                    + " (SELECT count(*) FROM vector_search('docs', 'v', '[1, 1]', k => 1000)),"
                    + " (SELECT count(*) FROM sparse_match('docs', 's', '{\"1\": 1}', k => 1000))");
        ResultSet rows = statement.executeQuery()) {
      assertThat(rows.next()).isTrue();
      for (int column = 2; column <= 6; column++) {
        assertThat(rows.getLong(column)).isEqualTo(rows.getLong(1));
      }
      return rows.getLong(1);
    }
  }
}
