package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A bound value gives what it gives as a literal, with all of its digits, or is refused: never
 * another result.
 */
class ParameterValueTest {
  /** Of a date, say, that is bound to a number. */
  private static final String OTHER_TYPE = "42804";

  private static final String REFUSED = "22P02";
  private static final Set<String> REFUSALS = Set.of("42601", "22003", REFUSED);

  private static final List<@Nullable Object> VALUES =
      Arrays.asList(
          2,
          9_007_199_254_740_993L,
          new BigDecimal("2.25"),
          new BigDecimal("2.251"),
          new BigDecimal("99999999999.5"),
          new BigDecimal("-0.005"),
          "abcd",
          Date.valueOf("2024-01-01"),
          LocalDateTime.of(2024, 1, 1, 0, 0),
          LocalDateTime.of(2024, 1, 1, 12, 0),
          null);

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE p (id BIGINT PRIMARY KEY, i INTEGER, k DECIMAL(10, 2), w DECIMAL(38, 0),"
            + " d DOUBLE, r REAL, s VARCHAR, dt DATE)");
    Sql.run(
        connection,
        "INSERT INTO p VALUES (1, 2, 2.25, 5, 2.25, 2.5, 'abcd', DATE '2024-01-01'),"
            + " (2, 3, 2.26, 12345678901234567890123456789012345678, 0.5, 0.5, 'a', NULL),"
            + " (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "k = ?",
        "? >= k",
        "k IN (?)",
        "k IN (?, 7)",
        "k IN (?, 7.1234)",
        "k NOT IN (?, 7)",
        "? IN (k, 7)",
        "? NOT IN (k, 7, 1.234)",
        "? IN (1, 2.25)",
        "i IN (?, 2.5)",
        "(k, id) IN ((?, 1), (7, 2))",
        "k BETWEEN ? AND 5",
        "? BETWEEN k AND 5",
        "NULLIF(k, ?)",
        "COALESCE(k, ?)",
        "COALESCE(?, k)",
        "COALESCE(?, id)",
        "COALESCE(?, w)",
        "COALESCE(?, 0)",
        "COALESCE(?, d)",
        "COALESCE(?, s)",
        "COALESCE(?, dt)",
        "COALESCE(NULL, ?, 1.5)",
        "id = COALESCE(?, id)",
        "CASE WHEN id = 1 THEN ? ELSE 1.5 END",
        "CASE WHEN id = 1 THEN ? WHEN id = 2 THEN 1 ELSE k END",
        "CASE k WHEN ? THEN 1 ELSE 0 END",
        "k + ?",
        "k * ?",
        "w + ?",
        "i + ?",
        "d + ?",
        "id + ? * 2",
        "(k + ?) * ?",
        "k + ? = 4.501",
        "k - ? = 0",
        "k = -?",
        "dt + ?",
        "? IN (SELECT id FROM p)",
        "NOT (? IN (SELECT k FROM p WHERE k IS NOT NULL))",
        "? NOT IN (SELECT s FROM p WHERE s IS NOT NULL)",
        "? = (SELECT max(k) FROM p)",
        "(?, 1) IN (SELECT i, id FROM p)",
        "? > ALL (SELECT i FROM p WHERE i IS NOT NULL)",
        "? = SOME (SELECT k FROM p)",
        "(SELECT sum(k * ?) FROM p)",
        "(SELECT max(COALESCE(?, 0)) FROM p)",
        "GREATEST(?, i)",
        "lag(i, 1, ?) OVER (ORDER BY id)",
        "ABS(?)",
        "FLOOR(?)",
        "MOD(id, ?)",
        "CAST(? AS DECIMAL(10, 2))",
        "CAST(? AS DECIMAL(20, 5)) + k",
        "s = ?",
        "s || ?",
        "dt = ?",
        "dt < ?",
        "dt IN (?, DATE '2024-01-02')",
        "CASE WHEN id = 1 THEN dt ELSE ? END",
      })
  void valuesAreAsTheirLiterals(String expression) {
    List<@Nullable Object> taken = new ArrayList<>();
    List<Object> bound = new ArrayList<>();
    for (Object value : values(expression)) {
      Object result = bound(select(expression), value);
      if (!REFUSALS.contains(result)) {
        taken.add(value);
        bound.add(result);
      }
    }
    Object together =
        result(
            select(
                String.join(", ", taken.stream().map(v -> withLiteral(expression, v)).toList())));
    for (int i = 0; i < taken.size(); i++) {
      Object value = taken.get(i);
      Object literal =
          together instanceof List<?> rows
              ? column(rows, i + 1)
              : result(select(withLiteral(expression, value)));
      // Some operators take no NULL that has no type.
      if (literal instanceof List<?> rows) {
        assertThat(bound.get(i)).as("%s with %s", expression, value).isEqualTo(rows);
        if (expression.contains("k IN (") || expression.contains("k + ? =")) {
          assertThat(bound("SELECT id FROM p WHERE " + expression + " ORDER BY id", value))
              .as("WHERE %s with %s", expression, value)
              .isEqualTo(
                  rows.stream()
                      .filter(ParameterValueTest::isTrue)
                      .map(ParameterValueTest::id)
                      .toList());
        }
      } else {
        assertThat(value).as("%s: %s, not %s", expression, bound.get(i), literal).isNull();
      }
    }
  }

  private static String select(String expressions) {
    return "SELECT id" + (expressions.isEmpty() ? "" : ", " + expressions) + " FROM p ORDER BY id";
  }

  private static String withLiteral(String text, @Nullable Object value) {
    return text.replace("?", literal(value));
  }

  private static List<List<@Nullable Object>> column(List<?> rows, int place) {
    return rows.stream()
        .map(row -> Arrays.asList(((List<?>) row).get(0), ((List<?>) row).get(place)))
        .map(row -> (List<@Nullable Object>) new ArrayList<@Nullable Object>(row))
        .toList();
  }

  private static boolean isTrue(Object row) {
    return Boolean.TRUE.equals(((List<?>) row).get(1));
  }

  private static List<?> id(Object row) {
    return ((List<?>) row).subList(0, 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT i FROM p WHERE id = 1 UNION ALL SELECT ?",
        "SELECT a + 1 FROM (VALUES (?, 1), (5, 2)) AS q (a, b)",
        "SELECT -? FROM p"
      })
  void queriesAreAsTheirLiteralsOrRefused(String query) {
    for (Object value : VALUES) {
      Object result = bound(query, value);
      if (!REFUSALS.contains(result)) {
        assertThat(result).isEqualTo(result(withLiteral(query, value)));
      }
    }
  }

  /** Numbers that are bound to texts become texts, which literals do only in places. */
  private static List<@Nullable Object> values(String expression) {
    return expression.matches(".*\\bs\\b.*") ? Arrays.asList("abcd", "a", "abcdef", null) : VALUES;
  }

  private static Object bound(String query, @Nullable Object value) {
    int count = (int) query.chars().filter(c -> c == '?').count();
    return result(query, Collections.nCopies(count, value).toArray());
  }

  private static String literal(@Nullable Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof LocalDateTime time) {
      return "TIMESTAMP '" + Timestamp.valueOf(time) + "'";
    }
    return value instanceof Number number
        ? "(" + number + ")"
        : (value instanceof Date ? "DATE " : "") + "'" + value + "'";
  }

  /** The rows, where numbers are what they are whatever their type; or the SQLSTATE. */
  private static Object result(String query, @Nullable Object... values) {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      try {
        Sql.bind(statement, values);
      } catch (SQLException e) {
        return OTHER_TYPE.equals(e.getSQLState()) ? REFUSED : e.getSQLState();
      }
      try (ResultSet result = statement.executeQuery()) {
        return Sql.rows(result).stream()
            .map(row -> row.stream().<@Nullable Object>map(ParameterValueTest::plain).toList())
            .toList();
      }
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return value instanceof Number number
        ? new BigDecimal(number.toString()).stripTrailingZeros().toPlainString()
        : value;
  }

  @Test
  void numbersBesideRealsAreDoubles() throws SQLException {
    assertThat(Sql.column(connection, "SELECT r + ? FROM p WHERE id = 2", 9_007_199_254_740_992L))
        .containsExactly(9_007_199_254_740_992.0);
    assertThat(Sql.column(connection, "SELECT COALESCE(?, r) FROM p WHERE id = 2", 2.251))
        .containsExactly(2.251);
  }

  @Test
  void rowsAreChangedForTheNumberThatIsBound() throws SQLException {
    BigDecimal almost = new BigDecimal("2.251");
    assertThat(Sql.update(connection, "UPDATE p SET i = 9 WHERE k IN (?, 7)", almost)).isZero();
    assertThat(Sql.update(connection, "DELETE FROM p WHERE k IN (?, 7)", almost)).isZero();
    assertThat(Sql.update(connection, "UPDATE p SET k = COALESCE(?, k) WHERE id = 1", 2.25))
        .isEqualTo(1);
    assertThat(Sql.update(connection, "UPSERT INTO p (id, k) VALUES (9, COALESCE(?, 0))", 5))
        .isEqualTo(1);
    assertThat(Sql.column(connection, "SELECT k FROM p WHERE id = 9"))
        .containsExactly(new BigDecimal("5.00"));
    Sql.run(connection, "DELETE FROM p WHERE id = 9");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.25100000000000000001", "12345678901234567890.5", "1e-999999999"})
  void numberWithMoreDigitsThanThereIsRoomForIsRefused(String number) {
    assertThatThrownBy(() -> Sql.rows(connection, "SELECT k + ? FROM p", new BigDecimal(number)))
        .hasMessageContaining("parameter=1, value=")
        .hasMessageContaining("write CAST(? AS DECIMAL(p, s))")
        .extracting(e -> ((SQLException) e).getSQLState())
        .isEqualTo("22003");
  }

  @Test
  void parametersHaveTheTypesThatColumnsHaveNow() throws SQLException {
    Sql.run(connection, "CREATE TABLE q (id BIGINT PRIMARY KEY, x DATE)");
    Sql.run(connection, "INSERT INTO q VALUES (1, DATE '2024-01-01')");
    try (Connection other = Sql.connect(folder);
        PreparedStatement query = connection.prepareStatement("SELECT id FROM q WHERE x = ?");
        PreparedStatement write =
            connection.prepareStatement("UPSERT INTO q (id, x) VALUES (?, ?)")) {
      query.setDate(1, Date.valueOf("2024-01-01"));
      write.setLong(1, 2);
      write.setDate(2, Date.valueOf("2024-01-02"));
      write.addBatch();
      Sql.run(other, "ALTER TABLE q DROP COLUMN x");
      Sql.run(other, "ALTER TABLE q ADD COLUMN x VARCHAR(10)");
      Sql.run(other, "UPSERT INTO q (id, x) VALUES (3, '2024-01-01')");
      assertThat(ids(query)).as("bound before").containsExactly(3L);
      write.executeBatch();
      write.setLong(1, 4);
      write.setString(2, "xy");
      write.executeUpdate();
      write.setLong(1, 6);
      write.addBatch();
      write.executeBatch();
      assertThat(Sql.column(connection, "SELECT x FROM q WHERE id IN (2, 4, 6) ORDER BY id"))
          .containsExactly("2024-01-02", "xy", "xy");
      query.setString(1, "xy");
      assertThat(ids(query)).containsExactlyInAnyOrder(4L, 6L);
      assertThat(query.getParameterMetaData().getParameterTypeName(1)).isEqualTo("VARCHAR");
      assertThatThrownBy(() -> write.setString(1, "xy"))
          .hasMessageContaining("parameter=1")
          .hasMessageContaining("text=xy");
    }
    Sql.run(connection, "DROP TABLE q");
  }

  private static List<@Nullable Object> ids(PreparedStatement query) throws SQLException {
    try (ResultSet rows = query.executeQuery()) {
      return Sql.rows(rows).stream().<@Nullable Object>map(row -> row.get(0)).toList();
    }
  }
}
