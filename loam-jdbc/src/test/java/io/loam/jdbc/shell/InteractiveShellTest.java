package io.loam.jdbc.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sqlline.SqlLine;

/** What is typed into the shell, on a terminal whose keys and screen are streams. */
class InteractiveShellTest {
  @TempDir Path folder;

  /** The screen after the keys, and then the end of input. */
  private String type(String keys) throws IOException {
    return type(keys, Format.table);
  }

  @SuppressWarnings("deprecation") // JLine's own tests set the terminal in the same way.
  private String type(String keys, Format format) throws IOException {
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    ByteArrayInputStream keyboard = new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8));
    try (Terminal terminal =
        new DumbTerminal("test", "ansi", keyboard, screen, StandardCharsets.UTF_8)) {
      TerminalBuilder.setTerminalOverride(terminal);
      InteractiveShell shell =
          new InteractiveShell("jdbc:loam:" + folder.resolve("warehouse"), format);
      PrintStream printed = new PrintStream(screen, true, StandardCharsets.UTF_8);
      shell.setOutputStream(printed);
      shell.setErrorStream(printed);
      assertThat(shell.run(folder.resolve("history"))).isEqualTo(SqlLine.Status.OK);
    } finally {
      TerminalBuilder.setTerminalOverride(null);
    }
    return screen.toString(StandardCharsets.UTF_8);
  }

  @BeforeEach
  void create() throws IOException {
    assertThat(
            type(
                "CREATE TABLE Whales (id BIGINT PRIMARY KEY, weight DOUBLE, name TEXT,"
                    + " place VECTOR(2));\nINSERT INTO Whales (id, name) VALUES (1, 'blue');\n"))
        .contains("1 row affected");
  }

  @Test
  void aFolderWithoutAWarehouseIsWarnedOf(@TempDir Path other) throws IOException {
    folder = other;
    assertThat(type("SELECT 1 AS one;\n"))
        .containsOnlyOnce("folder holds no warehouse: url=jdbc:loam:" + other)
        .doesNotContain("\tat ");
    assertThat(other.resolve("warehouse")).doesNotExist();
  }

  @Test
  void tabCompletesTablesColumnsAndFunctions() throws IOException {
    assertThat(type("SELECT nam\t FROM Wha\t;\n")).contains("| name |", "| blue |");
    assertThat(type("SELECT count(*) AS n FROM vector_s\t('whales', 'place', '[1,0]');\n"))
        .contains("| 0 ");
    assertThat(type("SELECT SQR\t(9) AS root;\n")).contains("| 3");
  }

  @Test
  void nullIsNullInColumnsOfAllTypes() throws IOException {
    assertThat(type("SELECT * FROM Whales;\n")).containsPattern("1 +\\| null +\\| blue +\\| null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"quit", "exit", " QUIT;", "!quit"})
  void theSessionEndsWithoutAnExclamationMarkToo(String word) throws IOException {
    assertThat(type(word + "\nSELECT 1 AS behind;\n")).doesNotContain("behind", "Error");
  }

  @Test
  void wordsBeginAndEndTransactions() throws IOException {
    String first = "BEGIN\nINSERT INTO Whales (id) VALUES (2);\nROLLBACK;\n";
    String second = "INSERT INTO Whales (id) VALUES (3);\ncommit;\n";
    type(first + second + "INSERT INTO Whales (id) VALUES (4);\n");
    assertThat(type("SELECT sum(id) AS s FROM Whales;\n")).containsPattern("\\| 8 +\\|");
  }

  @Test
  void helpIsGivenWithoutAnExclamationMarkToo() throws IOException {
    for (String word : List.of("help", "!help", "Help;")) {
      assertThat(type(word + "\n"))
          .contains("!tables", "EXPLAIN ANALYZE", "BEGIN, COMMIT, ROLLBACK", "!outputformat")
          .doesNotContain("!dropall", "patches");
    }
  }

  @Test
  void rowsAreFormattedAsAsked() throws IOException {
    String query = "SELECT id, name FROM Whales;\n";
    assertThat(type(query, Format.csv)).contains("\"id\",\"name\"", "\"1\",\"blue\"");
    assertThat(type(query, Format.json)).contains("{\"id\":1,\"name\":\"blue\"}");
    assertThat(type("!outputformat json\n" + query)).contains("{\"id\":1,\"name\":\"blue\"}");
  }

  @Test
  void transactionsTellWhatBecomesOfThem() throws IOException {
    assertThat(type("BEGIN\nINSERT INTO Whales (id) VALUES (2);\nCOMMIT\n"))
        .contains("transaction begun", "committed");
  }
}
