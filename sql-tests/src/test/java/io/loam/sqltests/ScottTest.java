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
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Queries of standard SQL on the employees of many textbooks, against what HSQLDB gives. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScottTest {
  private static final Path FILES = Path.of("src", "test", "resources", "scott");

  @TempDir static Path folder;
  private Connection loam;
  private Connection oracle;

  static List<String> queries() throws IOException {
    return statements("queries.sql");
  }

  private static List<String> statements(String file) throws IOException {
    return Arrays.stream(Files.readString(FILES.resolve(file)).split(";\\R", -1))
        .map(String::strip)
        .filter(sql -> !sql.isEmpty())
        .toList();
  }

  @BeforeAll
  void open() throws SQLException, IOException {
    loam = Sql.connect(folder);
    oracle = DriverManager.getConnection("jdbc:hsqldb:mem:scott", "sa", "");
    for (String sql : statements("tables.sql")) {
      Sql.run(loam, sql);
      // Where a text has no bound, HSQLDB wants one.
      Sql.run(oracle, sql.replace(" VARCHAR", " VARCHAR(20)"));
    }
  }

  @AfterAll
  void close() throws SQLException {
    loam.close();
    oracle.close();
  }

  @ParameterizedTest
  @MethodSource("queries")
  void queriesGiveWhatHsqldbGives(String sql) throws SQLException {
    List<String> expected = texts(Sql.rows(oracle, sql));
    List<String> given = texts(Sql.rows(loam, sql));
    assertThat(expected).as("a query that shows nothing").isNotEmpty();
    if (sql.contains("ORDER BY")) {
      assertThat(given).isEqualTo(expected);
    } else {
      assertThat(given).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  /** Numbers by their values, whatever their types. */
  private static List<String> texts(List<List<@Nullable Object>> rows) {
    List<String> texts = new ArrayList<>();
    for (List<@Nullable Object> row : rows) {
      List<String> values = new ArrayList<>();
      for (Object value : row) {
        values.add(
            value instanceof Number
                ? new BigDecimal(value.toString()).stripTrailingZeros().toPlainString()
                : String.valueOf(value));
      }
      texts.add(String.join("|", values));
    }
    return texts;
  }
}
