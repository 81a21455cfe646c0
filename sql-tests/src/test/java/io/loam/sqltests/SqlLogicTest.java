package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of SQL Logic Test, whose results several databases agree on. Their tables have no keys, so
 * they get hidden ones.
 */
class SqlLogicTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"select1.test, 1000", "select2.test, 1000", "select3.test, 3320"})
  void everyQueryGivesWhatItShould(String file, int queries) throws IOException, SQLException {
    List<LogicTestFile.Entry> entries = LogicTestFile.read(file);
    assertThat(entries.stream().filter(LogicTestFile.Query.class::isInstance)).hasSize(queries);
    List<String> wrong = new ArrayList<>();
    try (Connection connection = Sql.connect(folder)) {
      for (LogicTestFile.Entry entry : entries) {
        if (entry instanceof LogicTestFile.Statement statement) {
          run(connection, statement);
        } else if (entry instanceof LogicTestFile.Query query && !isRight(connection, query)) {
          wrong.add(query.sql());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** A tenth of the queries of some of the files with random tables; the rest is alike. */
  @ParameterizedTest
  @Tag("long")
  @ValueSource(
      strings = {
        "random/aggregates/slt_good_3.test",
        "random/aggregates/slt_good_77.test",
        "random/expr/slt_good_5.test",
        "random/expr/slt_good_101.test",
        "random/groupby/slt_good_2.test",
        "random/groupby/slt_good_11.test",
        "random/select/slt_good_8.test",
        "random/select/slt_good_120.test"
      })
  void aSampleOfRandomQueriesGivesWhatItShould(String file) throws IOException, SQLException {
    Random random = new Random(file.hashCode());
    List<String> wrong = new ArrayList<>();
    int ran = 0;
    try (Connection connection = Sql.connect(folder)) {
      for (LogicTestFile.Entry entry : LogicTestFile.read(file)) {
        if (entry instanceof LogicTestFile.Statement statement) {
          run(connection, statement);
        } else if (entry instanceof LogicTestFile.Query query && random.nextInt(10) == 0) {
          ran++;
          check(connection, query, wrong);
        }
      }
    }
    assertThat(ran).isPositive();
    assertThat(wrong).as("of %d queries", ran).isEmpty();
  }

  private static void check(Connection connection, LogicTestFile.Query query, List<String> wrong) {
    try {
      if (!isRight(connection, query)) {
        wrong.add(query.sql());
      }
    } catch (SQLException e) {
      // SQLite takes columns that are neither grouped nor aggregated, which the standard forbids.
      if (!e.getMessage().contains("is not being grouped")) {
        wrong.add(e.getSQLState() + " " + e.getMessage() + ": " + query.sql());
      }
    }
  }

  private static void run(Connection connection, LogicTestFile.Statement statement) {
    boolean succeeds = true;
    try {
      Sql.run(connection, statement.sql());
    } catch (SQLException e) {
      succeeds = false;
    }
    assertThat(succeeds).as(statement.sql()).isEqualTo(statement.succeeds());
  }

  private static boolean isRight(Connection connection, LogicTestFile.Query query)
      throws SQLException {
    List<String> values = values(query, Sql.rows(connection, query.sql()));
    List<String> expected = query.expected();
    boolean hashed = expected.size() == 1 && expected.get(0).contains(" values hashing to ");
    return hashed
        ? expected.get(0).equals(values.size() + " values hashing to " + hash(values))
        : expected.equals(values);
  }

  /** The values one by one, sorted as the query says. */
  private static List<String> values(LogicTestFile.Query query, List<List<@Nullable Object>> rows) {
    List<List<String>> texts = new ArrayList<>();
    for (List<@Nullable Object> row : rows) {
      List<String> text = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        text.add(text(row.get(i), query.types().charAt(i)));
      }
      texts.add(text);
    }
    if (query.sort().equals("rowsort")) {
      texts.sort((a, b) -> String.join(" ", a).compareTo(String.join(" ", b)));
    }
    List<String> values = texts.stream().flatMap(List::stream).collect(Collectors.toList());
    if (query.sort().equals("valuesort")) {
      values.sort(null);
    }
    return values;
  }

  private static String text(@Nullable Object value, char type) {
    if (value == null) {
      return "NULL";
    }
    return switch (type) {
      case 'I' ->
          value instanceof Number number
              ? String.valueOf(new BigDecimal(number.toString()).longValue())
              : value.toString();
      case 'R' -> String.format(Locale.ROOT, "%.3f", ((Number) value).doubleValue());
      default -> value.toString().isEmpty() ? "(empty)" : value.toString();
    };
  }

  private static String hash(List<String> values) {
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      values.forEach(value -> md5.update((value + "\n").getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(md5.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
