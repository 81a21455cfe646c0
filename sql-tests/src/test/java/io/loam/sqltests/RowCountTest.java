package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** LIMIT and OFFSET take any BIGINT, wherever rows are counted. */
class RowCountTest {
  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, s VARCHAR)");
    Sql.run(connection, "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  /** Four rows each, in order. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM t ORDER BY id",
        "SELECT id + 1 FROM t ORDER BY upper(s)",
        "SELECT id + 0.5 FROM t ORDER BY CAST(id AS DOUBLE)",
        "SELECT s, count(*) FROM t GROUP BY s ORDER BY s",
        "SELECT upper(s), count(*) FROM t GROUP BY upper(s) ORDER BY 1",
        "SELECT * FROM (VALUES (1), (2), (3), (4)) v(a)",
        "SELECT id FROM t WHERE id < 3 UNION ALL SELECT id FROM t WHERE id > 2 ORDER BY 1",
        "SELECT id FROM t WHERE id < 3 UNION ALL SELECT id FROM t WHERE id > 2",
        "SELECT a.id FROM t a LEFT JOIN t b ON a.id = b.id AND b.id < 3 ORDER BY a.id",
        "SELECT a.id FROM t a JOIN t b ON a.id = b.id ORDER BY a.id",
        "SELECT * FROM (SELECT id FROM t ORDER BY upper(s))"
      })
  void anyNumberOfRows(String query) throws SQLException {
    List<List<Object>> all = Sql.rows(connection, query);
    assertThat(all).hasSize(4);
    List<Long> numbers =
        List.of(0L, 1L, 3L, 4L, 2_147_483_647L, 2_147_483_648L, 1L << 40, Long.MAX_VALUE);
    for (long limit : numbers) {
      for (long offset : numbers) {
        List<List<Object>> expected = all.stream().skip(offset).limit(limit).toList();
        assertThat(Sql.rows(connection, query + " LIMIT ? OFFSET ?", limit, offset))
            .as("LIMIT %s OFFSET %s", limit, offset)
            .isEqualTo(expected);
      }
    }
    for (long number : List.of(3L, 3_000_000_000L, Long.MAX_VALUE - 1, Long.MAX_VALUE)) {
      assertThat(Sql.rows(connection, query + " LIMIT " + number))
          .isEqualTo(all.stream().limit(number).toList());
      assertThat(Sql.rows(connection, query + " OFFSET " + number))
          .isEqualTo(all.stream().skip(number).toList());
    }
    assertThatThrownBy(() -> Sql.rows(connection, query + " LIMIT ?", -1))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("is not a whole number from 0: value=-1; give such a number");
    try (PreparedStatement statement = connection.prepareStatement(query + " LIMIT ? OFFSET ?")) {
      assertThat(statement.getParameterMetaData().getParameterTypeName(1)).isEqualTo("BIGINT");
      assertThat(statement.getParameterMetaData().getParameterTypeName(2)).isEqualTo("BIGINT");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"LIMIT 1.5", "OFFSET 1.5", "LIMIT 1 OFFSET 0.5", "FETCH FIRST 2.5 ROWS ONLY"})
  void ofWholeNumbers(String clause) {
    assertThatThrownBy(() -> Sql.rows(connection, "SELECT id FROM t " + clause))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("is not a whole number from 0: value=");
  }

  @Test
  @Timeout(60)
  void planningEndsOnCancel() throws Exception {
    String query =
        "SELECT count(*) FROM t t0 "
            + IntStream.range(1, 12)
                .mapToObj(i -> "JOIN t t%d ON t%d.id + %d = t%d.id".formatted(i, i - 1, i, i))
                .collect(Collectors.joining(" "));
    try (Statement statement = connection.createStatement()) {
      AtomicBoolean ended = new AtomicBoolean();
      Thread canceller =
          new Thread(
              () -> {
                while (!ended.get()) {
                  assertThatCode(statement::cancel).doesNotThrowAnyException();
                }
              });
      canceller.start();
      try {
        assertThatThrownBy(() -> statement.executeQuery(query))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("statement cancelled; run it again if wanted")
            .extracting(e -> ((SQLException) e).getSQLState())
            .isEqualTo("57014");
      } finally {
        ended.set(true);
        canceller.join();
      }
    }
  }
}
