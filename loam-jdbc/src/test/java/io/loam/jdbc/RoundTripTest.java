package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver on a warehouse in a folder. */
class RoundTripTest {
  private static final String TABLE =
      "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT, lang VARCHAR, n INTEGER, r REAL,"
          + " d DOUBLE, paid DECIMAL(12,2), ok BOOLEAN, born DATE, seen TIMESTAMP, ref UUID,"
          + " tags VARCHAR ARRAY, extra JSON, v VECTOR(3), s SPARSEVECTOR)";

  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:loam:" + folder);
    execute(TABLE);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long count() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM docs")) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  @Test
  void everyTypeComesBackAsItWent() throws SQLException {
    UUID uuid = new UUID(3, 4);
    LocalDateTime seen = LocalDateTime.of(2026, 1, 31, 12, 0, 0, 123_000_000);
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      Object[] values = {
        1L,
        "a lake",
        "en",
        7,
        0.5f,
        0.25,
        new BigDecimal("1.25"),
        true,
        LocalDate.of(1883, 1, 31),
        seen,
        uuid,
        List.of("x", "y"),
        "{\"a\":1}",
        new float[] {1, 2, 3},
        "{\"5\":0.5}"
      };
      for (int i = 0; i < values.length; i++) {
        insert.setObject(i + 1, values[i]);
      }
      assertThat(insert.executeUpdate()).isEqualTo(1);
      insert.setLong(1, 2);
      for (int i = 1; i < values.length; i++) {
        insert.setNull(i + 1, java.sql.Types.OTHER);
      }
      assertThat(insert.executeUpdate()).isEqualTo(1);
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM docs ORDER BY id")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getObject("id")).isEqualTo(1L);
      assertThat(rows.getObject("body")).isEqualTo("a lake");
      assertThat(rows.getObject("n")).isEqualTo(7);
      assertThat(rows.getObject("r")).isEqualTo(0.5f);
      assertThat(rows.getObject("d")).isEqualTo(0.25);
      assertThat(rows.getBigDecimal("paid")).isEqualTo("1.25");
      assertThat(rows.getObject("ok")).isEqualTo(true);
      assertThat(rows.getDate("born")).isEqualTo(Date.valueOf("1883-01-31"));
      assertThat(rows.getTimestamp("seen")).isEqualTo(Timestamp.valueOf(seen));
      assertThat(rows.getObject("ref", UUID.class)).isEqualTo(uuid);
      assertThat((Object[]) rows.getArray("tags").getArray()).containsExactly("x", "y");
      assertThat(rows.getString("extra")).isEqualTo("{\"a\":1}");
      assertThat(rows.getObject("v", float[].class)).containsExactly(1, 2, 3);
      assertThat(rows.getString("s")).isEqualTo("{\"5\":0.5}");
      assertThat(rows.next()).isTrue();
      for (int i = 2; i <= 15; i++) {
        assertThat(rows.getObject(i)).as("column %d", i).isNull();
      }
      assertThat(rows.next()).isFalse();
    }
  }

  @Test
  void batchIsOneCommit() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs (id, lang) VALUES (?, ?)")) {
      for (long id = 1; id <= 100; id++) {
        insert.setLong(1, id);
        insert.setString(2, "en");
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(100).containsOnly(1);
      assertThat(count()).isEqualTo(100);
      assertThat(insert.executeBatch()).isEmpty();
      for (long id : new long[] {101, 7, 102}) {
        insert.setLong(1, id);
        insert.addBatch();
      }
      assertThatThrownBy(insert::executeBatch)
          .isInstanceOfSatisfying(
              BatchUpdateException.class,
              e -> {
                assertThat(e.getSQLState()).isEqualTo("23505");
                assertThat(e.getUpdateCounts()).isEmpty();
              });
      assertThat(count()).isEqualTo(100);
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM \"docs$manifests\"")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).isEqualTo(2);
    }
  }

  @Test
  void statementBatchesKeepWhatCameBeforeAFailure() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.addBatch("INSERT INTO docs (id) VALUES (1), (2)");
      statement.addBatch("DELETE FROM docs WHERE id = 1");
      statement.addBatch("INSERT INTO docs (id) VALUES (2)");
      statement.addBatch("INSERT INTO docs (id) VALUES (3)");
      assertThatThrownBy(statement::executeBatch)
          .isInstanceOfSatisfying(
              BatchUpdateException.class,
              e -> assertThat(e.getUpdateCounts()).containsExactly(2, 1));
      assertThat(count()).isEqualTo(1);
    }
  }

  @Test
  void errorsAreOfTheirSubclass() {
    assertThatThrownBy(() -> execute("INSERT INTO docs (id) VALUES (1), (1)"))
        .isInstanceOf(SQLIntegrityConstraintViolationException.class);
  }

  @Test
  void aThousandCyclesLeaveNothingOpen() throws Exception {
    execute("INSERT INTO docs (id, v) VALUES (1, '[1,2,3]')");
    connection.close();
    cycles(100);
    int threads = Thread.activeCount();
    long handles = handles();
    cycles(1_000);
    assertThat(handles()).isLessThanOrEqualTo(handles + 5);
    assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 2);
  }

  private void cycles(int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      try (Connection c = DriverManager.getConnection("jdbc:loam:" + folder);
          Statement statement = c.createStatement();
          ResultSet rows = statement.executeQuery("SELECT id FROM docs")) {
        assertThat(rows.next()).isTrue();
      }
    }
  }

  private static long handles() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }
}
