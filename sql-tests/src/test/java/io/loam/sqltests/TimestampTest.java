package io.loam.sqltests;

import static java.time.temporal.ChronoField.MICRO_OF_SECOND;
import static java.time.temporal.ChronoField.NANO_OF_SECOND;
import static java.time.temporal.ChronoUnit.DAYS;
import static java.time.temporal.ChronoUnit.HOURS;
import static java.time.temporal.ChronoUnit.MICROS;
import static java.time.temporal.ChronoUnit.MILLIS;
import static java.time.temporal.ChronoUnit.MINUTES;
import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timestamps keep their microseconds through all that SQL does, as java.time computes it. */
class TimestampTest {
  private static final long SEED = 20261130;
  private static final LocalDateTime FIRST = LocalDateTime.of(1583, 1, 1, 0, 0);

  @TempDir Path folder;
  private Connection connection;
  private final List<LocalDateTime> times = new ArrayList<>();

  @BeforeEach
  void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, at_ TIMESTAMP)");
    Random random = new Random(SEED);
    times.add(LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000));
    times.add(LocalDateTime.of(1970, 1, 1, 0, 0, 0, 1_000));
    times.add(LocalDateTime.of(2026, 1, 31, 12, 0, 0, 123_456_000));
    times.add(LocalDateTime.of(2026, 1, 31, 12, 0, 0, 123_457_000));
    times.add(LocalDateTime.of(2026, 1, 31, 12, 0));
    times.add(LocalDateTime.of(2026, 1, 31, 12, 30));
    while (times.size() < 60) {
      times.add(
          FIRST
              .plus((long) (random.nextDouble() * 5e8 * 24 * 3600), MICROS)
              .plusDays(random.nextInt(160_000)));
    }
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
      for (int i = 0; i < times.size(); i++) {
        Sql.bind(insert, i, times.get(i).plusNanos(i % 2 * 999L)); // What is below is cut.
        insert.addBatch();
      }
      insert.executeBatch();
    }
    Sql.run(connection, "INSERT INTO t (id) VALUES (1000)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private <T> List<@Nullable T> values(String expression, Class<T> type) throws SQLException {
    List<@Nullable T> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT " + expression + " FROM t WHERE at_ IS NOT NULL ORDER BY id")) {
      while (rows.next()) {
        values.add(rows.getObject(1, type));
      }
    }
    return values;
  }

  private void assertTimes(String expression, Function<LocalDateTime, LocalDateTime> expected)
      throws SQLException {
    assertThat(values(expression, LocalDateTime.class))
        .as(expression)
        .containsExactlyElementsOf(times.stream().map(expected).toList());
  }

  private void assertNumbers(String expression, Function<LocalDateTime, Long> expected)
      throws SQLException {
    assertThat(values(expression, Long.class))
        .as(expression)
        .containsExactlyElementsOf(times.stream().map(expected).toList());
  }

  @Test
  void numbersAreNoTimes() {
    assertThatThrownBy(
            () -> Sql.update(connection, "INSERT INTO t VALUES (?, ?)", 2000L, 1_577_836_800_000L))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42804"))
        .hasMessageContaining("parameter=2, class=Long, type=TIMESTAMP; use");
    assertThatThrownBy(() -> Sql.run(connection, "INSERT INTO t VALUES (2000, 1577836800000)"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42804"))
        .hasMessageContaining("number is no time: type=TIMESTAMP, given=BIGINT; write TIMESTAMP '");
  }

  @Test
  void expressionsKeepThem() throws SQLException {
    assertTimes("at_", t -> t);
    assertTimes("COALESCE(at_, TIMESTAMP '2000-01-01 00:00:00.000001')", t -> t);
    assertTimes("CASE WHEN id >= 0 THEN at_ ELSE CURRENT_TIMESTAMP END", t -> t);
    assertTimes("at_ + INTERVAL '1' SECOND", t -> t.plusSeconds(1));
    assertTimes("at_ - INTERVAL '1 02:03' DAY TO MINUTE", t -> t.minusMinutes(1563));
    assertTimes("at_ + INTERVAL '1' MONTH", t -> t.plusMonths(1));
    assertTimes("TIMESTAMPADD(HOUR, 5, at_)", t -> t.plusHours(5));
    assertTimes("CAST(CAST(at_ AS VARCHAR) AS TIMESTAMP)", t -> t);
    assertTimes("CAST(at_ AS TIMESTAMP(3))", t -> t.truncatedTo(MILLIS));
    assertTimes("CAST(at_ AS TIMESTAMP(0))", t -> t.truncatedTo(SECONDS));
    assertTimes("CAST(at_ AS TIMESTAMP(5))", t -> t.minusNanos(t.get(NANO_OF_SECOND) % 10_000));
    assertTimes("FLOOR(at_ TO MINUTE)", t -> t.truncatedTo(MINUTES));
    assertTimes("FLOOR(at_ TO DAY)", t -> t.truncatedTo(DAYS));
    assertTimes("CEIL(at_ TO HOUR)", t -> up(t, HOURS));
    assertTimes("CEIL(at_ TO SECOND)", t -> up(t, SECONDS));
    assertTimes("(SELECT max(at_) FROM t AS u WHERE u.at_ <= t.at_)", t -> t);
    assertNumbers(
        "EXTRACT(MICROSECOND FROM at_)", t -> t.getSecond() * 1_000_000L + t.getNano() / 1000);
    assertNumbers(
        "EXTRACT(MILLISECOND FROM at_)", t -> t.getSecond() * 1_000L + t.getNano() / 1_000_000);
    assertNumbers("EXTRACT(YEAR FROM at_)", t -> (long) t.getYear());
    assertNumbers("EXTRACT(EPOCH FROM at_)", t -> t.toEpochSecond(ZoneOffset.UTC));
    assertThat(values("CAST(at_ AS DATE)", java.time.LocalDate.class))
        .containsExactlyElementsOf(times.stream().map(LocalDateTime::toLocalDate).toList());
    assertThat(values("CAST(at_ AS VARCHAR)", String.class))
        .containsExactlyElementsOf(times.stream().map(TimestampTest::text).toList());
  }

  private static LocalDateTime up(LocalDateTime time, ChronoUnit unit) {
    LocalDateTime down = time.truncatedTo(unit);
    return down.equals(time) ? time : down.plus(1, unit);
  }

  private static String text(LocalDateTime time) {
    String seconds = time.truncatedTo(SECONDS).toString().replace('T', ' ');
    String padded = seconds.length() == 16 ? seconds + ":00" : seconds;
    String fraction = "%06d".formatted(time.get(MICRO_OF_SECOND)).replaceAll("0+$", "");
    return fraction.isEmpty() ? padded : padded + "." + fraction;
  }

  @Test
  void conditionsSeeThem() throws SQLException {
    for (LocalDateTime time : times.subList(0, 12)) {
      List<Object> same = ids(t -> t.equals(time));
      List<Object> earlier = ids(t -> t.isBefore(time));
      String literal = "TIMESTAMP '" + text(time) + "'";
      assertThat(Sql.column(connection, "SELECT id FROM t WHERE at_ = ? ORDER BY id", time))
          .isEqualTo(same);
      assertThat(Sql.column(connection, "SELECT id FROM t WHERE at_ = " + literal + " ORDER BY id"))
          .isEqualTo(same);
      assertThat(Sql.column(connection, "SELECT id FROM t WHERE at_ < " + literal + " ORDER BY id"))
          .isEqualTo(earlier);
      assertThat(
              Sql.column(
                  connection,
                  "SELECT id FROM t WHERE at_ + INTERVAL '1' SECOND < "
                      + literal
                      + " + INTERVAL '1' SECOND ORDER BY id"))
          .isEqualTo(earlier);
      assertThat(
              Sql.column(
                  connection,
                  "SELECT id FROM t WHERE at_ IN ("
                      + literal
                      + ", NULL) AND id + 0 >= 0 ORDER BY id"))
          .isEqualTo(same);
      assertThat(
              Sql.column(
                  connection,
                  "SELECT t.id FROM t JOIN (VALUES ("
                      + literal
                      + ")) AS v (x) ON t.at_ = v.x ORDER BY t.id"))
          .isEqualTo(same);
    }
  }

  private List<Object> ids(java.util.function.Predicate<LocalDateTime> condition) {
    List<Object> ids = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      if (condition.test(times.get(i))) {
        ids.add((long) i);
      }
    }
    return ids;
  }

  @Test
  void groupsAndWindowsSeeThem() throws SQLException {
    Sql.run(connection, "INSERT INTO t (id, at_) SELECT id + 5000, at_ FROM t WHERE id < 1000");
    TreeMap<LocalDateTime, Long> groups = new TreeMap<>();
    times.forEach(t -> groups.merge(t, 2L, Long::sum));
    List<List<Object>> expected = new ArrayList<>();
    groups.forEach((time, n) -> expected.add(List.of(java.sql.Timestamp.valueOf(time), n)));
    assertThat(
            Sql.rows(
                connection,
                "SELECT at_, count(*) FROM t WHERE at_ IS NOT NULL GROUP BY at_ ORDER BY at_"))
        .isEqualTo(expected);
    List<Object> near = new ArrayList<>();
    for (LocalDateTime time : times) {
      near.add(
          2
              * times.stream()
                  .filter(t -> !t.isAfter(time) && !t.isBefore(time.minusHours(1)))
                  .count());
    }
    assertThat(
            Sql.column(
                connection,
                "SELECT n FROM (SELECT id, count(*) OVER (ORDER BY at_ RANGE INTERVAL '1' HOUR"
                    + " PRECEDING) AS n FROM t WHERE at_ IS NOT NULL) AS w WHERE id < 1000 ORDER BY"
                    + " id"))
        .isEqualTo(near);
  }

  @Test
  void constantsKeepThem() throws SQLException {
    assertThat(
            Sql.rows(
                connection,
                "VALUES (TIMESTAMP '2026-01-31 12:00:00.123456', CAST('2026-01-31T12:00:00.123456'"
                    + " AS TIMESTAMP), TIMESTAMP '2026-01-31 12:00:00.123456' + INTERVAL '1' DAY,"
                    + " CAST(TIMESTAMP '2026-01-31 12:00:00.123456' AS VARCHAR), CAST('2026-01-31'"
                    + " AS TIMESTAMP))"))
        .containsExactly(
            List.of(
                java.sql.Timestamp.valueOf("2026-01-31 12:00:00.123456"),
                java.sql.Timestamp.valueOf("2026-01-31 12:00:00.123456"),
                java.sql.Timestamp.valueOf("2026-02-01 12:00:00.123456"),
                "2026-01-31 12:00:00.123456",
                java.sql.Timestamp.valueOf("2026-01-31 00:00:00")));
  }

  /** The clock has milliseconds. */
  @Test
  void nowIsNow() throws SQLException {
    LocalDateTime before = LocalDateTime.now(ZoneOffset.UTC).truncatedTo(MILLIS);
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT CURRENT_TIMESTAMP, max(created_at) FROM \"t$manifests\"")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getObject(1, LocalDateTime.class))
          .isBetween(before, LocalDateTime.now(ZoneOffset.UTC));
      assertThat(rows.getObject(2, LocalDateTime.class)).isBetween(before.minusMinutes(5), before);
    }
  }
}
