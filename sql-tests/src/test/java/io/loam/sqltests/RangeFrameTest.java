package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows whose RANGE counts from a key, beside what looking at each row gives. */
class RangeFrameTest {
  private static final int ROWS = 40;
  private static final LocalDate START = LocalDate.of(2024, 2, 25);

  @TempDir static Path folder;
  private static Connection connection;
  private static final List<@Nullable Integer> KEYS = new ArrayList<>();

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE t (id BIGINT PRIMARY KEY, i INTEGER, b BIGINT, x DOUBLE, d DATE,"
            + " t TIMESTAMP)");
    Random random = new Random(8);
    for (int id = 0; id < ROWS; id++) {
      Integer key = random.nextInt(6) == 0 ? null : random.nextInt(20);
      KEYS.add(key);
      LocalDate day = key == null ? null : START.plusDays(key);
      Sql.update(
          connection,
          "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)",
          id,
          key,
          key,
          key,
          day,
          day == null ? null : day.atStartOfDay());
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @CsvSource({"i, ", "b, ", "x, ", "d, DAY", "t, DAY"})
  void framesHoldTheRowsInRange(String column, @Nullable String unit) throws SQLException {
    for (boolean descending : new boolean[] {false, true}) {
      for (int lower = -3; lower <= 3; lower++) {
        for (int upper = Math.max(lower, -1); upper <= 3; upper += 2) {
          if (lower != 0 || upper != 0) {
            String over =
                " OVER (ORDER BY %s%s RANGE BETWEEN %s AND %s)"
                    .formatted(
                        column, descending ? " DESC" : "", bound(lower, unit), bound(upper, unit));
            // Frames that leave the row itself out cannot be asked for where keys are NULL.
            boolean nulls = lower <= 0 && upper >= 0;
            String sql =
                "SELECT id, count(*)%s, coalesce(sum(id)%s, -1) FROM t%s ORDER BY id"
                    .formatted(over, over, nulls ? "" : " WHERE " + column + " IS NOT NULL");
            assertThat(Sql.rows(connection, sql))
                .as(sql)
                .isEqualTo(expected(descending, lower, upper, nulls));
          }
        }
      }
    }
  }

  private static String bound(int offset, @Nullable String unit) {
    if (offset == 0) {
      return "CURRENT ROW";
    }
    String size =
        unit == null ? "" + Math.abs(offset) : "INTERVAL '%d' %s".formatted(Math.abs(offset), unit);
    return size + (offset < 0 ? " PRECEDING" : " FOLLOWING");
  }

  private static List<List<Object>> expected(
      boolean descending, int lower, int upper, boolean nulls) {
    List<List<Object>> rows = new ArrayList<>();
    for (int id = 0; id < ROWS; id++) {
      Integer key = KEYS.get(id);
      long count = 0;
      long sum = 0;
      for (int other = 0; other < ROWS; other++) {
        Integer there = KEYS.get(other);
        int away = (key == null || there == null) ? 0 : descending ? key - there : there - key;
        boolean in =
            (key == null || there == null)
                ? Objects.equals(key, there)
                : away >= lower && away <= upper;
        count += in ? 1 : 0;
        sum += in ? other : 0;
      }
      if (key == null && !nulls) {
        continue;
      }
      rows.add(List.of((long) id, count, count == 0 ? -1L : sum));
    }
    return rows;
  }

  @Test
  void whatCannotBeCountedFromNullIsRefused() {
    assertThatThrownBy(
            () ->
                Sql.rows(
                    connection,
                    "SELECT count(*) OVER (ORDER BY i RANGE BETWEEN UNBOUNDED PRECEDING AND 1"
                        + " FOLLOWING) FROM t"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"))
        .hasMessageContaining("IS NOT NULL");
  }

  @Test
  void firstAndLastGoByTheOrderThatIsAskedFor() throws SQLException {
    assertThat(
            Sql.rows(
                connection,
                "SELECT DISTINCT first_value(i) OVER w, last_value(i) OVER w FROM t WHERE i IN (3, 5, 9)"
                    + " WINDOW w AS (ORDER BY i DESC RANGE BETWEEN 50 PRECEDING AND 50 FOLLOWING)"))
        .hasToString("[[9, 3]]");
    assertThatThrownBy(
            () ->
                Sql.rows(
                    connection,
                    "SELECT nth_value(i, 2) OVER (ORDER BY i DESC RANGE 2 PRECEDING) FROM t"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("NTH_VALUE");
  }
}
