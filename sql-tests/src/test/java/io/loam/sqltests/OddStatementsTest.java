package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls of all functions and operators with right and wrong arguments, at random: whatever fails
 * does so as a user's mistake or as what is not supported, in a user's words, and never as a fault
 * of Loam.
 */
class OddStatementsTest {
  private static final long SEED = 20261130;
  private static final Pattern INTERNAL =
      Pattern.compile("\\b(?:org|java|com|io)\\.[a-z]+\\.|Exception\\b|\\bRex[A-Z]|\\bRel[A-Z]");

  private static final List<String> VALUES =
      List.of(
          "NULL",
          "CAST(NULL AS INTEGER)",
          "CAST(NULL AS VARCHAR)",
          "NULLIF(1, 1)",
          "0",
          "1",
          "-1",
          "2147483647",
          "9223372036854775807",
          "1.5",
          "1e0",
          "CAST('NaN' AS DOUBLE)",
          "''",
          "'a'",
          "'wing'",
          "'2024-02-29'",
          "'[1,2]'",
          "'$.a'",
          "TRUE",
          "DATE '2024-02-29'",
          "TIME '10:11:12'",
          "TIMESTAMP '2024-02-29 10:11:12.5'",
          "INTERVAL '1' DAY",
          "INTERVAL '1-2' YEAR TO MONTH",
          "ARRAY[1, 2]",
          "ARRAY['a']",
          "MAP['a', 1]",
          "MULTISET[1, 2]",
          "(1, 'a')",
          "X'0a'",
          "id",
          "n",
          "s",
          "d",
          "p",
          "b",
          "dt",
          "ts",
          "u",
          "arr",
          "v",
          "j",
          "id + n",
          "n / NULLIF(n, n)",
          "(SELECT max(n) FROM t)",
          "(SELECT n FROM t)",
          "CASE WHEN b THEN n END");

  private static final List<String> SIGNS =
      List.of(
          "+",
          "-",
          "*",
          "/",
          "%",
          "||",
          "=",
          "<>",
          "<",
          ">=",
          "LIKE",
          "NOT LIKE",
          "SIMILAR TO",
          "IN",
          "IS DISTINCT FROM",
          "AND",
          "OR",
          "MEMBER OF",
          "SUBMULTISET OF",
          "MULTISET UNION",
          "OVERLAPS",
          "CONTAINS",
          "BETWEEN SYMMETRIC 1 AND",
          "= ANY",
          "> ALL");

  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void load() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE t (id BIGINT PRIMARY KEY, n INTEGER, s VARCHAR, d DOUBLE, p DECIMAL(8, 2),"
            + " b BOOLEAN, dt DATE, ts TIMESTAMP, u UUID, arr VARCHAR ARRAY, v VECTOR(2), j JSON)");
    Sql.run(
        connection,
        "INSERT INTO t VALUES (1, 1, 'wing', 1.5, 2.50, TRUE, DATE '2024-02-29',"
            + " TIMESTAMP '2024-02-29 10:11:12', '123e4567-e89b-12d3-a456-426614174000',"
            + " ARRAY['a', 'b'], '[1,2]', '{\"a\":1}')");
    Sql.run(connection, "INSERT INTO t (id) VALUES (2)");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @Test
  void failuresAreNeverFaults() {
    check(SEED, 200);
  }

  @Test
  @Tag("long")
  void manyFailuresAreNeverFaults() {
    for (int round = 1; round <= 10; round++) {
      check(SEED + round, 1_000);
    }
  }

  private static void check(long seed, int statements) {
    Random random = new Random(seed);
    List<SqlOperator> functions =
        SqlStdOperatorTable.instance().getOperatorList().stream()
            .filter(op -> op instanceof SqlFunction && op.getSyntax() == SqlSyntax.FUNCTION)
            .sorted(Comparator.comparing(SqlOperator::getName))
            .toList();
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < statements; i++) {
      String sql = statement(random, functions);
      try {
        Sql.run(connection, sql);
      } catch (SQLException e) {
        String message = String.valueOf(e.getMessage());
        if (e.getSQLState() == null
            || e.getSQLState().startsWith("XX")
            || INTERNAL.matcher(message).find()) {
          faults.add(sql + "\n   " + e.getSQLState() + " " + message + causes(e));
        }
      } catch (RuntimeException | AssertionError | LinkageError e) {
        faults.add(sql + "\n   " + e);
      }
    }
    assertThat(faults).as("seed " + seed).isEmpty();
  }

  private static String causes(Throwable failure) {
    StringBuilder causes = new StringBuilder();
    for (Throwable t = failure.getCause(); t != null; t = t.getCause()) {
      causes.append("\n   ").append(t);
      Arrays.stream(t.getStackTrace()).limit(4).forEach(f -> causes.append("\n      ").append(f));
    }
    return causes.toString();
  }

  private static String statement(Random random, List<SqlOperator> functions) {
    String expression = expression(random, functions, 1);
    String from = random.nextInt(3) == 0 ? "" : " FROM t";
    return switch (random.nextInt(7)) {
      case 0 -> "SELECT id FROM t WHERE (" + expression + ") IS NOT NULL";
      case 1 -> "SELECT id FROM t ORDER BY " + expression;
      case 2 -> "SELECT count(*) FROM t GROUP BY " + expression;
      case 3 -> "UPDATE t SET n = " + expression + " WHERE id = 7";
      default -> "SELECT " + expression + from;
    };
  }

  private static String expression(Random random, List<SqlOperator> functions, int depth) {
    if (random.nextInt(4) == 0) {
      return value(random, functions, depth)
          + " "
          + SIGNS.get(random.nextInt(SIGNS.size()))
          + " "
          + (random.nextInt(5) == 0 ? "(" : "")
          + value(random, functions, depth);
    }
    if (random.nextInt(6) == 0) {
      return "CAST("
          + value(random, functions, depth)
          + " AS "
          + List.of(
                  "INTEGER",
                  "BIGINT",
                  "VARCHAR",
                  "VARCHAR(2)",
                  "DOUBLE",
                  "DECIMAL(4, 1)",
                  "DATE",
                  "TIME",
                  "TIMESTAMP",
                  "BOOLEAN",
                  "UUID",
                  "VARCHAR ARRAY",
                  "VECTOR(2)",
                  "JSON",
                  "REAL",
                  "INTERVAL DAY",
                  "BINARY(2)",
                  "TEXT")
              .get(random.nextInt(18))
          + ")";
    }
    SqlOperator function = functions.get(random.nextInt(functions.size()));
    List<String> arguments = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      arguments.add(value(random, functions, depth));
    }
    String call = function.getName() + "(" + String.join(", ", arguments) + ")";
    if (!(function instanceof SqlAggFunction)) {
      return call;
    }
    return call
        + List.of(
                "",
                "",
                " OVER ()",
                " OVER (ORDER BY id)",
                " OVER (PARTITION BY s ORDER BY d)",
                " FILTER (WHERE n > 0)",
                " IGNORE NULLS OVER (ORDER BY id)",
                " WITHIN GROUP (ORDER BY n)")
            .get(random.nextInt(8));
  }

  private static String value(Random random, List<SqlOperator> functions, int depth) {
    return depth > 0 && random.nextInt(5) == 0
        ? expression(random, functions, depth - 1)
        : VALUES.get(random.nextInt(VALUES.size()));
  }
}
