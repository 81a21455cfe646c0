package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Thousands of rows of VALUES where they are not those of an INSERT, and long literals. */
class ManyValuesTest {
  private static final int ROWS = 5_000;
  private static final int TEXT_LENGTH = 8 << 20;

  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, s VARCHAR, d DOUBLE)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private static String values(IntFunction<String> row) {
    return IntStream.range(0, ROWS).mapToObj(row).collect(Collectors.joining(", ", "VALUES ", ""));
  }

  @Test
  void theyAreTheSourceOfMerge() throws SQLException {
    Sql.run(connection, "INSERT INTO t VALUES (3, 'old', 0), (-1, 'stays', 0)");
    int merged =
        Sql.run(
            connection,
            "MERGE INTO t USING ("
                + values(i -> "(" + i + ", 's" + i % 7 + "', " + i + ".5)")
                + ") AS v (id, s, d) ON t.id = v.id"
                + " WHEN MATCHED THEN UPDATE SET s = v.s, d = v.d"
                + " WHEN NOT MATCHED THEN INSERT (id, s, d) VALUES (v.id, v.s, v.d)");
    assertThat(merged).isEqualTo(ROWS);
    List<List<@Nullable Object>> expected = new ArrayList<>();
    expected.add(List.of(-1L, "stays", 0.0));
    for (int i = 0; i < ROWS; i++) {
      expected.add(List.of((long) i, "s" + i % 7, i + 0.5));
    }
    assertThat(Sql.rows(connection, "SELECT id, s, d FROM t ORDER BY id")).isEqualTo(expected);
  }

  @Test
  void valuesOfAllTypesAreWhatTheyAre() throws SQLException {
    String sql =
        "SELECT * FROM ("
            + values(
                i ->
                    "(%d, %d, %d.25, %de0, 's%d', %s, DATE '%s', TIMESTAMP '%s 10:11:12.%06d')"
                        .formatted(
                            i,
                            10_000_000_000L + i,
                            i,
                            i,
                            i,
                            i % 2 == 0,
                            LocalDate.EPOCH.plusDays(i),
                            LocalDate.EPOCH.plusDays(i),
                            i))
            + ") AS v (i, l, p, d, s, b, dt, ts) WHERE i >= 0";
    List<List<@Nullable Object>> rows = Sql.rows(connection, sql);
    assertThat(rows).hasSize(ROWS);
    for (int i = 0; i < ROWS; i++) {
      LocalDate day = LocalDate.EPOCH.plusDays(i);
      assertThat(rows.get(i).subList(0, 7))
          .isEqualTo(
              Arrays.asList(
                  i,
                  10_000_000_000L + i,
                  new BigDecimal(i + ".25"),
                  (double) i,
                  "s" + i,
                  i % 2 == 0,
                  Date.valueOf(day)));
      assertThat(String.valueOf(rows.get(i).get(7)))
          .startsWith(day + " 10:11:12")
          .isEqualTo(java.sql.Timestamp.valueOf(day.atTime(10, 11, 12, i * 1_000)).toString());
    }
  }

  @Test
  void oneColumnIsJoined() throws SQLException {
    Sql.run(connection, "INSERT INTO t (id) VALUES (1), (4999), (5000)");
    assertThat(
            Sql.column(
                connection,
                "SELECT v.n FROM ("
                    + values(i -> i == 7 ? "(NULL)" : "(" + i + ")")
                    + ") AS v (n) JOIN t ON t.id = v.n ORDER BY 1"))
        .containsExactly(1, 4999);
  }

  /** A reader that copied what it has read again and again would take minutes. */
  @Test
  @Timeout(60)
  void aLongLiteralIsReadInOneGo() throws SQLException {
    String text = "0123456789abcdef".repeat(TEXT_LENGTH / 16 / 8);
    Sql.run(connection, "INSERT INTO t (id, s) VALUES (1, '" + text + "')");
    assertThat(Sql.column(connection, "SELECT s FROM t")).containsExactly(text);
    assertThat(
            Sql.column(connection, "SELECT CHAR_LENGTH('" + "x''".repeat(TEXT_LENGTH / 2) + "')"))
        .containsExactly(TEXT_LENGTH);
  }
}
