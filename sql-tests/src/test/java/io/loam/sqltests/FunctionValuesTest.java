package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Functions and operators have the values of {@code values.txt}: over columns, over constants, and
 * as a condition; and HSQLDB agrees where it knows them.
 */
class FunctionValuesTest {
  private static final Path FILE = Path.of("src", "test", "resources", "values.txt");

  /** Expressions of one statement, since each statement is compiled. */
  private static final int AT_ONCE = 20;

  private static final String NAMES = "(s, z, n, m, d, p, b, dt, ts)";
  private static final String ROW =
      "('Wing Test', CAST(NULL AS VARCHAR(5)), 7, -3, CAST(2.5 AS DOUBLE),"
          + " CAST(12.345 AS DECIMAL(8, 3)), TRUE, DATE '2024-02-29',"
          + " TIMESTAMP '2024-02-29 10:11:12')";

  private record Case(String expression, String value, boolean isKnownToHsqldb) {
    static Case of(String line) {
      boolean known = !line.startsWith("~");
      String[] parts = line.substring(known ? 0 : 1).split("=>", 2);
      return new Case(parts[0].strip(), parts[1].strip(), known);
    }

    /** True where the expression has the value, or at least one, when a condition computes it. */
    String condition() {
      return switch (value) {
        case "NULL" -> "(" + expression + ") IS NULL";
        case "true" -> "(" + expression + ")";
        case "false" -> "NOT (" + expression + ")";
        default -> "(" + expression + ") IS NOT NULL";
      };
    }
  }

  @TempDir static Path folder;
  private static Connection loam;
  private static Connection oracle;

  @BeforeAll
  static void open() throws SQLException {
    loam = Sql.connect(folder);
    oracle = DriverManager.getConnection("jdbc:hsqldb:mem:values", "sa", "");
    for (Connection connection : List.of(loam, oracle)) {
      Sql.run(
          connection,
          "CREATE TABLE t (s VARCHAR(20), z VARCHAR(5), n INTEGER, m INTEGER, d DOUBLE,"
              + " p DECIMAL(8, 3), b BOOLEAN, dt DATE, ts TIMESTAMP)");
      Sql.run(connection, "INSERT INTO t " + NAMES + " VALUES " + ROW);
    }
  }

  @AfterAll
  static void close() throws SQLException {
    loam.close();
    oracle.close();
  }

  private static List<Case> cases() throws IOException {
    return Files.readAllLines(FILE).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(Case::of)
        .toList();
  }

  /** The values of expressions; where one fails, the SQLSTATE and message in its place. */
  private static List<String> values(Connection connection, List<Case> cases, String from) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < cases.size(); i += AT_ONCE) {
      List<String> some =
          cases.subList(i, Math.min(i + AT_ONCE, cases.size())).stream()
              .map(Case::expression)
              .toList();
      try {
        values.addAll(row(connection, some, from));
      } catch (SQLException together) {
        for (String one : some) {
          try {
            values.addAll(row(connection, List.of(one), from));
          } catch (SQLException e) {
            values.add(e.getSQLState() + " " + e.getMessage());
          }
        }
      }
    }
    return values;
  }

  private static List<String> row(Connection connection, List<String> expressions, String from)
      throws SQLException {
    String sql = "SELECT " + String.join(", ", expressions) + " FROM " + from;
    return Sql.rows(connection, sql).get(0).stream().map(FunctionValuesTest::text).toList();
  }

  private static String text(@Nullable Object value) {
    if (value instanceof Number number) {
      BigDecimal plain = new BigDecimal(number.toString());
      return plain.signum() == 0 ? "0" : plain.stripTrailingZeros().toPlainString();
    }
    return value == null ? "NULL" : value.toString();
  }

  @Test
  void valuesAreThoseByHand() throws IOException {
    List<Case> cases = cases();
    assertThat(cases).hasSizeGreaterThan(100);
    check(cases, values(loam, cases, "t"), "of columns");
    check(cases, values(loam, cases, "(VALUES %s) AS t %s".formatted(ROW, NAMES)), "of constants");
  }

  @Test
  void conditionsHoldForThoseValues() throws IOException, SQLException {
    List<Case> cases = cases();
    for (int i = 0; i < cases.size(); i += AT_ONCE) {
      String all =
          cases.subList(i, Math.min(i + AT_ONCE, cases.size())).stream()
              .map(Case::condition)
              .collect(Collectors.joining(" AND "));
      assertThat(Sql.column(loam, "SELECT count(*) FROM t WHERE " + all))
          .as(all)
          .containsExactly(1L);
    }
  }

  @Test
  void hsqldbAgrees() throws IOException {
    List<Case> known = cases().stream().filter(Case::isKnownToHsqldb).toList();
    check(known, values(oracle, known, "t"), "of HSQLDB");
  }

  private static void check(List<Case> cases, List<String> values, String where) {
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      Case given = cases.get(i);
      if (!values.get(i).equals(given.value())) {
        wrong.add(
            given.expression() + " " + where + ": " + values.get(i) + ", not " + given.value());
      }
    }
    assertThat(wrong).isEmpty();
  }
}
