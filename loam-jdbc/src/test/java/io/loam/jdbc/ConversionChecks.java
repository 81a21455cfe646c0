package io.loam.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What every getter gives of every type and every setter takes for it. Runs in a JVM of its own,
 * whose time zone must not matter.
 */
final class ConversionChecks {
  private static final UUID REF = UUID.fromString("01234567-89ab-cdef-8123-456789abcdef");
  private static final LocalDateTime AT = LocalDateTime.of(2026, 1, 31, 12, 34, 56, 123_456_000);
  private static final LocalDate DAY = LocalDate.of(2026, 1, 31);

  /** Of an error; the values of getters never look so. */
  private static final String WRONG = "42804";

  private static final String TEXT = "22P02";
  private static final String RANGE = "22003";

  private interface Getter {
    @Nullable Object get(ResultSet rows, String column) throws SQLException;
  }

  private static final Map<String, Getter> NUMBERS = new LinkedHashMap<>();
  private static final Map<String, Getter> TIMES = new LinkedHashMap<>();

  static {
    NUMBERS.put("getString", ResultSet::getString);
    NUMBERS.put("getBoolean", ResultSet::getBoolean);
    NUMBERS.put("getByte", ResultSet::getByte);
    NUMBERS.put("getShort", ResultSet::getShort);
    NUMBERS.put("getInt", ResultSet::getInt);
    NUMBERS.put("getLong", ResultSet::getLong);
    NUMBERS.put("getFloat", ResultSet::getFloat);
    NUMBERS.put("getDouble", ResultSet::getDouble);
    NUMBERS.put("getBigDecimal", ResultSet::getBigDecimal);
    TIMES.put("getDate", ResultSet::getDate);
    TIMES.put("getTime", ResultSet::getTime);
    TIMES.put("getTimestamp", ResultSet::getTimestamp);
    TIMES.put("LocalDate", (r, c) -> r.getObject(c, LocalDate.class));
    TIMES.put("LocalTime", (r, c) -> r.getObject(c, LocalTime.class));
    TIMES.put("LocalDateTime", (r, c) -> r.getObject(c, LocalDateTime.class));
    TIMES.put("Instant", (r, c) -> r.getObject(c, Instant.class));
    TIMES.put("OffsetDateTime", (r, c) -> r.getObject(c, OffsetDateTime.class));
  }

  private final Connection connection;
  private final List<String> wrong = new ArrayList<>();

  private ConversionChecks(Connection connection) {
    this.connection = connection;
  }

  /**
   * Fails where something is not as it should; takes an empty folder and the zone that it is in.
   */
  public static void main(String[] args) throws SQLException {
    assertThat(TimeZone.getDefault().getID()).isEqualTo(args[1]);
    try (Connection connection = DriverManager.getConnection("jdbc:loam:" + args[0])) {
      ConversionChecks checks = new ConversionChecks(connection);
      checks.create();
      checks.gettersOfValues();
      checks.gettersOfNull();
      checks.setters();
      checks.refusals();
      checks.timesOfZones();
    }
  }

  private void create() throws SQLException {
    run(
        "CREATE TABLE t (id BIGINT PRIMARY KEY, b BIGINT, i INTEGER, s SMALLINT, r REAL, f DOUBLE,"
            + " d DECIMAL(12,2), k BOOLEAN, day_ DATE, at_ TIMESTAMP, u UUID, v VARCHAR, x TEXT,"
            + " j JSON, l VARCHAR ARRAY, e VECTOR(2), p SPARSEVECTOR)");
    run(
        "INSERT INTO t VALUES (1, 9007199254740993, -7, 7, 1.5, 2.25, 12.50, TRUE,"
            + " DATE '2026-01-31', TIMESTAMP '2026-01-31 12:34:56.123456', '"
            + REF
            + "', '42', 'true', '{\"a\":1}', ARRAY['a', 'b'], '[1,-2]', '{\"3\":0.5}')");
    run("INSERT INTO t (id) VALUES (2)");
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void gettersOfValues() throws SQLException {
    numbers(
        "b",
        "9007199254740993",
        "true",
        RANGE,
        RANGE,
        RANGE,
        "9007199254740993",
        "9.0071993E15",
        "9.007199254740992E15",
        "9007199254740993");
    numbers("i", "-7", "true", "-7", "-7", "-7", "-7", "-7.0", "-7.0", "-7");
    numbers("s", "7", "true", "7", "7", "7", "7", "7.0", "7.0", "7");
    numbers("r", "1.5", "true", "1", "1", "1", "1", "1.5", "1.5", "1.5");
    numbers("f", "2.25", "true", "2", "2", "2", "2", "2.25", "2.25", "2.25");
    numbers("d", "12.50", "true", "12", "12", "12", "12", "12.5", "12.5", "12.50");
    numbers("k", "true", "true", "1", "1", "1", "1", "1.0", "1.0", "1");
    numbers("v", "42", TEXT, "42", "42", "42", "42", "42.0", "42.0", "42");
    numbers("x", "true", "true", TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT);
    notNumbers("day_", "2026-01-31", WRONG);
    notNumbers("at_", "2026-01-31 12:34:56.123456", WRONG);
    notNumbers("u", REF.toString(), WRONG);
    notNumbers("j", "{\"a\":1}", TEXT);
    notNumbers("l", "[\"a\",\"b\"]", WRONG);
    notNumbers("e", "[1.0,-2.0]", WRONG);
    notNumbers("p", "{\"3\":0.5}", TEXT);
    check(
        "at_",
        TIMES,
        "2026-01-31",
        "12:34:56",
        "2026-01-31 12:34:56.123456",
        "2026-01-31",
        "12:34:56.123456",
        "2026-01-31T12:34:56.123456",
        "2026-01-31T12:34:56.123456Z",
        "2026-01-31T12:34:56.123456Z");
    check(
        "day_",
        TIMES,
        "2026-01-31",
        WRONG,
        "2026-01-31 00:00:00.0",
        "2026-01-31",
        WRONG,
        "2026-01-31T00:00",
        "2026-01-31T00:00:00Z",
        "2026-01-31T00:00Z");
    for (String column : List.of("b", "i", "s", "r", "f", "d", "k", "u", "l", "e")) {
      check(column, TIMES, repeated(WRONG, TIMES.size()));
    }
    for (String column : List.of("v", "x", "j", "p")) {
      check(column, TIMES, repeated(TEXT, TIMES.size()));
    }
    objects();
  }

  private void numbers(String column, String... expected) throws SQLException {
    check(column, NUMBERS, expected);
  }

  private void notNumbers(String column, String text, String state) throws SQLException {
    String[] expected = repeated(state, NUMBERS.size());
    expected[0] = text;
    check(column, NUMBERS, expected);
  }

  private static String[] repeated(String value, int times) {
    String[] all = new String[times];
    Arrays.fill(all, value);
    return all;
  }

  private void check(String column, Map<String, Getter> getters, String... expected)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM t WHERE id = 1")) {
      rows.next();
      int place = 0;
      for (Map.Entry<String, Getter> getter : getters.entrySet()) {
        assertThat(given(getter.getValue(), rows, column))
            .as(getter.getKey() + " of " + column)
            .isEqualTo(expected[place++]);
      }
      assertThat(place).isEqualTo(expected.length);
    }
  }

  private static String given(Getter getter, ResultSet rows, String column) {
    try {
      return String.valueOf(getter.get(rows, column));
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private void objects() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM t WHERE id = 1")) {
      rows.next();
      assertThat(rows.getObject("b")).isEqualTo(9007199254740993L);
      assertThat(rows.getObject("i")).isEqualTo(-7);
      assertThat(rows.getObject("s")).isEqualTo(7);
      assertThat(rows.getObject("r")).isEqualTo(1.5f);
      assertThat(rows.getObject("f")).isEqualTo(2.25);
      assertThat(rows.getObject("d")).isEqualTo(new BigDecimal("12.50"));
      assertThat(rows.getObject("k")).isEqualTo(true);
      assertThat(rows.getObject("day_")).isEqualTo(Date.valueOf(DAY));
      assertThat(rows.getObject("at_")).isEqualTo(Timestamp.valueOf(AT));
      assertThat(rows.getObject("u")).isEqualTo(REF);
      assertThat(rows.getObject("u", UUID.class)).isEqualTo(REF);
      assertThat(rows.getObject("b", BigInteger.class)).isEqualTo("9007199254740993");
      assertThat(rows.getObject("s", Short.class)).isEqualTo((short) 7);
      assertThat(rows.getObject("s", Byte.class)).isEqualTo((byte) 7);
      assertThat(rows.getObject("at_", ZonedDateTime.class)).isEqualTo(AT.atZone(ZoneOffset.UTC));
      assertThat(rows.getObject("at_", java.util.Date.class)).isEqualTo(Timestamp.valueOf(AT));
      assertThat(rows.getTime("at_").getTime() % 1000).isEqualTo(123);
      assertThat(rows.getObject("e", float[].class)).containsExactly(1, -2);
      assertThat((float[]) rows.getArray("e").getArray()).containsExactly(1, -2);
      assertThat((Object[]) rows.getArray("l").getArray()).containsExactly("a", "b");
      assertThat(rows.getObject("l", String[].class)).containsExactly("a", "b");
    }
  }

  private void gettersOfNull() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM t WHERE id = 2")) {
      rows.next();
      for (int i = 2; i <= rows.getMetaData().getColumnCount(); i++) {
        String column = rows.getMetaData().getColumnLabel(i);
        assertThat(rows.getObject(i)).isNull();
        assertThat(rows.wasNull()).isTrue();
        for (Getter getter : NUMBERS.values()) {
          assertThat(getter.get(rows, column))
              .isIn(null, false, (byte) 0, (short) 0, 0, 0L, 0f, 0d);
          assertThat(rows.wasNull()).isTrue();
        }
        for (Getter getter : TIMES.values()) {
          assertThat(getter.get(rows, column)).isNull();
        }
        assertThat(rows.getArray(i)).isNull();
        assertThat(rows.getObject(i, float[].class)).isNull();
      }
      assertThat(rows.getLong("id")).isEqualTo(2);
      assertThat(rows.wasNull()).isFalse();
    }
  }

  private void setters() throws SQLException {
    takes(
        "b",
        9007199254740993L,
        "9007199254740993",
        new BigDecimal("9007199254740993"),
        new BigInteger("9007199254740993"));
    takes("i", -7, (short) -7, (byte) -7, -7L, -7.0, -7f, "-7", new BigDecimal("-7.00"));
    takes("s", 7, (short) 7, (byte) 7, 7L, 7.0, "7", BigInteger.valueOf(7));
    takes("r", 1.5f, 1.5, "1.5", new BigDecimal("1.50"));
    takes("f", 2.25, 2.25f, "2.25", new BigDecimal("2.25"));
    takes("d", new BigDecimal("12.50"), 12.5, "12.5", new BigDecimal("12.495"), 12.5f);
    takes("k", true, 1, "true", "yes", BigDecimal.ONE);
    takes(
        "day_",
        DAY,
        Date.valueOf(DAY),
        "2026-01-31",
        DAY.atStartOfDay(),
        Timestamp.valueOf(DAY.atStartOfDay()));
    takes(
        "at_",
        AT,
        Timestamp.valueOf(AT),
        "2026-01-31 12:34:56.123456",
        "2026-01-31T12:34:56.123456",
        AT.toInstant(ZoneOffset.UTC),
        AT.plusNanos(999),
        AT.atOffset(ZoneOffset.UTC),
        AT.atOffset(ZoneOffset.UTC).withOffsetSameInstant(ZoneOffset.ofHours(5)),
        AT.atZone(ZoneOffset.UTC).withZoneSameInstant(ZoneId.of("Asia/Tokyo")));
    takes("u", REF, REF.toString(), REF.toString().toUpperCase(Locale.ROOT));
    takes("v", "42", 42, 42L, new BigDecimal("42"), new StringReader("42"));
    takes("x", "true", true);
    takes("j", "{\"a\":1}", " { \"a\" : 1 } ");
    takes(
        "l",
        List.of("a", "b"),
        new String[] {"a", "b"},
        connection.createArrayOf("VARCHAR", new Object[] {"a", "b"}));
    takes(
        "e",
        new float[] {1, -2},
        new double[] {1, -2},
        List.of(1, -2.0),
        "[1, -2]",
        connection.createArrayOf("REAL", new Object[] {1f, -2f}));
    takes("p", "{\"3\":0.5}");
  }

  /** Each value is stored as the row with the key 1 has it. */
  private void takes(String column, Object... values) throws SQLException {
    run("DELETE FROM t WHERE id > 2");
    int id = 10;
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, " + column + ") VALUES (?, ?)")) {
      for (Object value : values) {
        insert.setInt(1, id++);
        insert.setObject(2, value);
        insert.executeUpdate();
      }
      insert.setInt(1, id);
      insert.setNull(2, Types.OTHER);
      insert.executeUpdate();
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT " + column + " FROM t WHERE id <> 2 ORDER BY id")) {
      rows.next();
      String expected = rows.getString(1);
      for (Object value : values) {
        rows.next();
        assertThat(rows.getString(1))
            .as(column + " of " + value + " " + value.getClass())
            .isEqualTo(expected);
      }
      rows.next();
      assertThat(rows.getString(1)).isNull();
    }
    run("DELETE FROM t WHERE id > 2");
  }

  private void refusals() throws SQLException {
    refuses("b", RANGE, 1.5, "9223372036854775808");
    refuses("b", TEXT, "x", "", Double.NaN, Double.POSITIVE_INFINITY);
    refuses("b", WRONG, DAY, REF, new byte[1], List.of(1));
    refuses("i", RANGE, 1L << 31, "2147483648");
    refuses("s", RANGE, 32768, -32769, "32768");
    refuses("r", RANGE, 1e39, "1e39");
    refuses("r", RANGE, new BigDecimal("1e400"), "1e400");
    refuses("f", RANGE, new BigDecimal("1e400"), BigInteger.TEN.pow(400), "-1e400");
    refuses("d", RANGE, "10000000000.00", 1e10);
    refuses("d", TEXT, "1,5");
    refuses("k", RANGE, 2);
    refuses("day_", RANGE, AT, Timestamp.valueOf(AT), "2026-01-31 12:34:56");
    refuses("k", TEXT, "maybe");
    refuses("day_", TEXT, "2026-02-30", "yesterday");
    refuses("day_", WRONG, 1, true, Time.valueOf("10:00:00"), REF);
    refuses("at_", TEXT, "2026-01-31 25:00:00", "12:00:00");
    refuses("at_", WRONG, 1L, Time.valueOf("10:00:00"));
    refuses("u", TEXT, "1-2-3-4-5", "x");
    refuses("u", WRONG, 1, DAY);
    refuses("v", WRONG, new byte[1], new Object(), List.of("a"));
    refuses("j", TEXT, "{", "");
    refuses("l", WRONG, "a", 1);
    refuses("e", TEXT, "1,2", "[1,x]");
    refuses("e", "22023", new float[] {1}, "[1,2,3]", new float[] {Float.NaN, 1});
    assertThat(wrong).isEmpty();
  }

  private void refuses(String column, String state, Object... values) throws SQLException {
    for (Object value : values) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO t (id, " + column + ") VALUES (99, ?)")) {
        String given = "nothing";
        try {
          insert.setObject(1, value);
          insert.executeUpdate();
        } catch (SQLException e) {
          given = e.getSQLState();
        }
        if (!given.equals(state)) {
          wrong.add(column + " of " + value + " " + value.getClass() + " gives " + given);
        }
      }
    }
  }

  /** Setters and getters of JDBC's own classes speak of the JVM's zone or of a calendar's. */
  private void timesOfZones() throws SQLException {
    Calendar tokyo = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"), Locale.ROOT);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, at_, day_) VALUES (50, ?, ?)")) {
      insert.setTimestamp(1, Timestamp.from(Instant.parse("2026-01-31T03:34:56.123456Z")), tokyo);
      insert.setObject(2, Date.valueOf(DAY), JDBCType.DATE);
      insert.executeUpdate();
    }
    try (PreparedStatement select =
        connection.prepareStatement("SELECT at_, day_ FROM t WHERE at_ = ? AND id = 50")) {
      select.setTimestamp(1, Timestamp.valueOf(AT));
      try (ResultSet rows = select.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getTimestamp(1)).isEqualTo(Timestamp.valueOf(AT));
        assertThat(rows.getTimestamp(1, tokyo).toInstant())
            .isEqualTo("2026-01-31T03:34:56.123456Z");
        assertThat(rows.getTime(1)).hasToString("12:34:56");
        assertThat(rows.getTime(1, tokyo).getTime())
            .isEqualTo(Instant.parse("1970-01-01T03:34:56.123Z").toEpochMilli());
        assertThat(rows.getDate(2)).hasToString("2026-01-31");
      }
    }
    run("INSERT INTO t (id, at_) VALUES (51, TIMESTAMP '2026-03-08 02:30:00')");
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT at_, CAST('10:20:30' AS TIME) FROM t WHERE id = 51")) {
      rows.next();
      // A time that clocks of some zones skip.
      assertThat(rows.getObject(1, LocalDateTime.class)).isEqualTo("2026-03-08T02:30");
      assertThat(rows.getString(1)).isEqualTo("2026-03-08 02:30:00");
      assertThat(rows.getTime(2)).hasToString("10:20:30");
      assertThat(rows.getObject(2)).hasToString("10:20:30");
      assertThat(rows.getObject(2, LocalTime.class)).isEqualTo("10:20:30");
    }
  }
}
