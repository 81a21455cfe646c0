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

  /** The one value of a query, numbers without needless zeros; the SQLSTATE where it fails. */
  private static String value(Connection connection, String sql) {
    try {
      return text(Sql.column(connection, sql).get(0));
    } catch (SQLException e) {
      return e.getSQLState() + " " + e.getMessage();
    }
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
    List<String> wrong = new ArrayList<>();
    List<Case> cases = cases();
    assertThat(cases).hasSizeGreaterThan(100);
    for (Case given : cases) {
      String expression = given.expression();
      String folded = "SELECT %s FROM (VALUES %s) AS t %s".formatted(expression, ROW, NAMES);
      String same =
          given.value().equals("NULL")
              ? "(%s) IS NULL".formatted(expression)
              : "(%1$s) IS NOT NULL AND (%1$s) = (%1$s)".formatted(expression);
      check(wrong, given, value(loam, "SELECT " + expression + " FROM t"), "of columns");
      check(wrong, given, value(loam, folded), "of constants");
      if (!value(loam, "SELECT count(*) FROM t WHERE " + same).equals("1")) {
        wrong.add(expression + ": the row does not meet " + same);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void hsqldbAgrees() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Case given : cases()) {
      if (given.isKnownToHsqldb()) {
        String value = value(oracle, "SELECT " + given.expression() + " FROM t");
        check(wrong, given, value, "of HSQLDB");
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static void check(List<String> wrong, Case given, String value, String where) {
    if (!value.equals(given.value())) {
      wrong.add(given.expression() + " " + where + ": " + value + ", not " + given.value());
    }
  }
}
