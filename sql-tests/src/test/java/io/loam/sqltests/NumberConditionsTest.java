package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exact numbers compared with exact numbers of other types, in the scan, by their exact values. */
class NumberConditionsTest {
  @TempDir static Path folder;
  private static Connection connection;
  private static final List<Row> ROWS = new ArrayList<>();

  private record Row(long id, @Nullable Integer n, @Nullable BigDecimal price) {
    @Nullable BigDecimal number() {
      return n == null ? null : BigDecimal.valueOf(n);
    }
  }

  private record Column(String name, Function<Row, @Nullable BigDecimal> value) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("id", row -> BigDecimal.valueOf(row.id())),
          new Column("n", Row::number),
          new Column("price", Row::price));

  private static final List<String> SIGNS = List.of("=", "<>", "<", "<=", ">", ">=");

  private static boolean holds(String sign, int order) {
    IntPredicate test =
        switch (sign) {
          case "=" -> o -> o == 0;
          case "<>" -> o -> o != 0;
          case "<" -> o -> o < 0;
          case "<=" -> o -> o <= 0;
          case ">" -> o -> o > 0;
          default -> o -> o >= 0;
        };
    return test.test(order);
  }

  @BeforeAll
  static void load() throws SQLException {
    Random random = new Random(31);
    connection = Sql.connect(folder);
    Sql.run(
        connection, "CREATE TABLE items (id BIGINT PRIMARY KEY, n INTEGER, price DECIMAL(8, 2))");
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO items VALUES (?, ?, ?)")) {
      for (long id = 0; id < 1_500; id++) {
        Row row =
            new Row(
                id,
                random.nextInt(10) == 0 ? null : random.nextInt(40) - 20,
                random.nextInt(10) == 0
                    ? null
                    : BigDecimal.valueOf(random.nextInt(4_000) - 2_000, 2));
        ROWS.add(row);
        Sql.bind(insert, row.id(), row.n(), row.price());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static String literal(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> String.valueOf(random.nextInt(50) - 25);
      case 1 -> BigDecimal.valueOf(random.nextInt(5_000) - 2_500, 2).toString();
      case 2 -> BigDecimal.valueOf(random.nextInt(50_000) - 25_000, 3).toString();
      case 3 -> BigDecimal.valueOf(random.nextInt(100) - 50, 1).toString();
      default -> String.valueOf(3_000_000_000L * (random.nextInt(3) - 1));
    };
  }

  @Test
  void conditionsMoveIntoTheScanAndCompareExactly() throws SQLException {
    Random random = new Random(37);
    for (int i = 0; i < 150; i++) {
      Column column = COLUMNS.get(random.nextInt(COLUMNS.size()));
      String sign = SIGNS.get(random.nextInt(SIGNS.size()));
      String literal = literal(random);
      BigDecimal value = new BigDecimal(literal);
      List<Object> expected = new ArrayList<>();
      for (Row row : ROWS) {
        BigDecimal own = column.value.apply(row);
        if (own != null && holds(sign, own.compareTo(value))) {
          expected.add(row.id());
        }
      }
      String sql = "SELECT id FROM items WHERE " + column.name + " " + sign + " ";
      assertThat(Sql.column(connection, sql + literal))
          .as(sql + literal)
          .containsExactlyInAnyOrderElementsOf(expected);
      String plan = Sql.column(connection, "EXPLAIN PLAN FOR " + sql + literal).toString();
      assertThat(plan).as(sql + literal).doesNotContain("Calc").contains("LoamScan");
    }
  }

  @Test
  void rangesAndListsOfOtherTypesMoveIntoTheScan() throws SQLException {
    for (String condition :
        List.of("price BETWEEN -3 AND 4", "price IN (1, 2.5, 3)", "n BETWEEN 1.5 AND 7.25")) {
      assertThat(
              Sql.column(connection, "EXPLAIN PLAN FOR SELECT id FROM items WHERE " + condition)
                  .toString())
          .contains("filter=[")
          .doesNotContain("Calc");
    }
    BigDecimal low = new BigDecimal(-3);
    BigDecimal high = new BigDecimal(4);
    long between =
        ROWS.stream()
            .map(Row::price)
            .filter(p -> p != null && p.compareTo(low) >= 0 && p.compareTo(high) <= 0)
            .count();
    assertThat(Sql.column(connection, "SELECT count(*) FROM items WHERE price BETWEEN -3 AND 4"))
        .containsExactly(between);
    long ofRange =
        ROWS.stream()
            .map(Row::number)
            .filter(n -> n != null && n.intValue() >= 2 && n.intValue() <= 7)
            .count();
    assertThat(Sql.column(connection, "SELECT count(*) FROM items WHERE n BETWEEN 1.5 AND 7.25"))
        .containsExactly(ofRange);
  }
}
