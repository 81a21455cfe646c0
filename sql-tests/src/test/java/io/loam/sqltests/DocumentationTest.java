package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/SQL.md run from top to bottom on an empty warehouse. */
class DocumentationTest {
  private static final Path PAGE = Path.of("..", "docs", "SQL.md");
  private static final Pattern FENCE =
      Pattern.compile("^```sql( error)?\\R(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  @TempDir static Path folder;
  private static Connection connection;

  /**
   * @param line where it stands on the page
   * @param fails whether it must fail
   */
  private record Example(int line, String sql, boolean fails) {}

  @BeforeAll
  static void open() throws SQLException {
    connection = Sql.connect(folder);
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @TestFactory
  Stream<DynamicTest> examplesRun() throws IOException {
    List<Example> examples = examples(Files.readString(PAGE));
    assertThat(examples).hasSizeGreaterThan(20);
    return examples.stream()
        .map(
            example ->
                dynamicTest(
                    "line " + example.line() + ": " + example.sql().lines().findFirst().orElse(""),
                    () -> check(example)));
  }

  private static void check(Example example) throws SQLException {
    if (example.fails()) {
      Assertions.assertThatThrownBy(() -> run(example.sql())).isInstanceOf(SQLException.class);
      return;
    }
    run(example.sql());
  }

  private static void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          assertThat(Sql.rows(rows)).as("an example that shows nothing").isNotEmpty();
        }
      }
    }
  }

  private static List<Example> examples(String page) {
    List<Example> examples = new ArrayList<>();
    Matcher fence = FENCE.matcher(page);
    while (fence.find()) {
      int line = (int) page.substring(0, fence.start()).lines().count() + 1;
      String sql = fence.group(2).strip();
      String statement = sql.endsWith(";") ? sql.substring(0, sql.length() - 1) : sql;
      examples.add(new Example(line, statement, fence.group(1) != null));
    }
    return examples;
  }
}
