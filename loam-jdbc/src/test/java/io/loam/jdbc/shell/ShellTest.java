package io.loam.jdbc.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code bin/loam sql} makes of its arguments. */
class ShellTest {
  @TempDir Path folder;

  private record Run(int status, String out, String err) {}

  private static Run run(String... args) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Shell.run(args, new PrintWriter(out, true), new PrintWriter(err, true));
    return new Run(status, out.toString(), err.toString());
  }

  @Test
  void everyArgument() {
    Arguments arguments =
        Arguments.parse(
            "-e",
            "select 1",
            "/x",
            "--format=JSON",
            "-e",
            "select -2",
            "--piped",
            "--history",
            "/h");
    assertThat(arguments)
        .isEqualTo(
            new Arguments(
                "/x", List.of("select 1", "select -2"), Format.json, true, Path.of("/h")));
    assertThat(Arguments.parse("/x").format()).isEqualTo(Format.table);
    assertThat(Arguments.parse("--format", "csv", "/x").format()).isEqualTo(Format.csv);
  }

  @ParameterizedTest
  @CsvSource({
    "-e, option without a value: -e",
    "/x --format, option without a value: --format",
    "/x --format xml, unknown format: xml; use",
    "/x --nope, unknown option: --nope",
    "/x -x, unknown option: -x",
    "/x --piped=no, unknown option: --piped=no",
    "/x /y, more than one URL or folder: /x and /y",
    "--format csv, no URL or folder is given",
  })
  void wrongArguments(String given, String message) throws IOException {
    String[] args = given.split(" ", -1);
    assertThatThrownBy(() -> Arguments.parse(args)).hasMessageStartingWith(message);
    Run run = run(args);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("error: " + message).contains("Usage: loam sql");
  }

  @Test
  void helpTellsOfEveryFormat() throws IOException {
    for (String help : List.of("-h", "--help")) {
      Run run = run("/x", help);
      assertThat(run.status()).isZero();
      assertThat(run.err()).isEmpty();
      for (Format format : Format.values()) {
        assertThat(run.out().toLowerCase(Locale.ROOT)).contains(format.name());
      }
    }
  }

  @Test
  void helpAmongStatementsIsAnswered() throws IOException {
    Run run = run(folder.resolve("new").toString(), "-e", "help; SELECT 1 AS a", "--format=csv");
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("SHOW TABLES", "!outputformat")
        .doesNotContain("TAB completes")
        .endsWith("a\n1\n");
  }

  @Test
  void aMistypedFolderIsWarnedOfAndNotMade() throws IOException {
    Path mistyped = folder.resolve("mistyped");
    Run run = run(mistyped.toString(), "--format=csv", "-e", "SHOW TABLES; SELECT 1 AS a");
    assertThat(run.status()).isZero();
    assertThat(run.out()).endsWith("a\n1\n");
    assertThat(run.err())
        .startsWith("warning: folder holds no warehouse: url=jdbc:loam:" + mistyped);
    assertThat(mistyped).doesNotExist();
    assertThat(run(folder.toString(), "-e", "SELECT 1").err()).startsWith("warning: folder holds");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void quitEndsAScript() throws IOException {
    for (String word : List.of("quit", "EXIT", "!quit")) {
      Run run = run(folder.resolve("new").toString(), "-e", "SELECT 1 AS a;" + word + "; SELECT");
      assertThat(run.status()).isZero();
      assertThat(run.out()).contains("(1 row, ");
    }
  }

  @Test
  void aScriptStopsAtItsFirstErrorAndSaysSo() throws IOException {
    String url = folder.resolve("new").toString();
    Run run = run(url, "--format=csv", "-e", "SELECT 1 AS a; SELECT b; SELECT 2 AS c");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEqualTo("a\n1\n");
    assertThat(run.err()).contains("error 42703: ").endsWith("stopped at statement 2 of 3\n");
    assertThat(run(url, "-e", "SELECT 1; SELECT b").err()).contains("at statement 2 of 2");
    assertThat(run(url, "-e", "SELECT b").err()).doesNotContain("stopped");
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(run(file.toString(), "-e", "SELECT 1; SELECT b").err()).doesNotContain("stopped");
  }

  @Test
  void wordsBeginAndEndTransactions() throws IOException {
    String url = folder.resolve("new").toString();
    String table = "CREATE TABLE t (id BIGINT PRIMARY KEY);";
    String kept = "BEGIN; INSERT INTO t VALUES (1); INSERT INTO t VALUES (2);\nCommit;";
    String dropped = "START  TRANSACTION; INSERT INTO t VALUES (3); ROLLBACK;";
    String alone = "INSERT INTO t VALUES (4); ROLLBACK;";
    String count = "SELECT id FROM t ORDER BY id";
    Run run = run(url, "--format=csv", "-e", table + kept + dropped + alone + count);
    assertThat(run.out()).endsWith("id\n1\n2\n4\n");
    assertThat(run.status()).isZero();
    Run open = run(url, "-e", "BEGIN; INSERT INTO t VALUES (5);");
    assertThat(open.status()).isEqualTo(1);
    assertThat(open.err()).contains("rolled back; end it with COMMIT");
    assertThat(run(url, "--format=csv", "-e", count).out()).isEqualTo("id\n1\n2\n4\n");
  }

  @Test
  void statementsWithoutRowsTellWhatTheyDid() throws IOException {
    String sql =
        "CREATE TABLE t (id BIGINT PRIMARY KEY); BEGIN; INSERT INTO t VALUES (1); COMMIT;"
            + "BEGIN; DELETE FROM t; ROLLBACK; COMMIT; ALTER TABLE t ADD COLUMN c INT; DROP TABLE t";
    Run run = run(folder.resolve("new").toString(), "-e", sql);
    assertThat(run.out().lines().filter(line -> !line.isEmpty()).map(l -> l.replaceAll(",.*", "")))
        .containsExactly(
            "(created",
            "(transaction begun",
            "(1 row changed",
            "(committed",
            "(transaction begun",
            "(1 row changed",
            "(rolled back",
            "(there is no transaction",
            "(altered",
            "(dropped");
  }

  @Test
  void theFormatChangesAmongStatements() throws IOException {
    String sql = "SELECT 1 AS a; !outputformat JSON; SELECT 2 AS a; !outputformat xml; SELECT 3";
    Run run = run(folder.resolve("new").toString(), "--format=csv", "-e", sql);
    assertThat(run.out()).isEqualTo("a\n1\n{\"a\":2}\n");
    assertThat(run.err())
        .endsWith(
            "error: unknown format: xml; use table, csv or json\nstopped at statement 4 of 5\n");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void anotherDriversUrlIsRefused() throws IOException {
    Run run = run("jdbc:lom:/x", "-e", "select 1");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("not a URL of Loam: jdbc:lom:/x");
  }

  @Test
  void errorsGoToStandardErrorWithStatusOne() throws IOException {
    Run run = run("jdbc:loam:/x?nope=1", "-e", "select 1");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("error 08001: unknown connection property: name=nope");
  }

  @Test
  void schemesAreNoFolders() throws IOException {
    for (String location : List.of("http://example/x", "jdbc:loam:gs://bucket/x")) {
      Run run = run(location, "-e", "select 1");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).startsWith("error 08001: ").doesNotContain("warning");
    }
    assertThat(Files.exists(Path.of("http:"))).isFalse();
  }

  @Test
  void csvAndJsonOfSeveralStatements() throws IOException {
    String url = "file://" + folder.resolve("new");
    String sql =
        "CREATE TABLE t (id BIGINT PRIMARY KEY, j JSON, w SPARSEVECTOR, v VECTOR(2), l VARCHAR ARRAY,"
            + " s VARCHAR); INSERT INTO t VALUES (1, '{\"a\":[1,2]}', '{\"3\":0.5}', '[1,2]',"
            + " ARRAY['x', 'y'], '{}'), (2, NULL, NULL, NULL, NULL, NULL);"
            + " SELECT * FROM t ORDER BY id; SELECT count(*) AS n FROM t";
    assertThat(run(url, "--format", "json", "-e", sql))
        .isEqualTo(
            new Run(
                0,
                """
                {"id":1,"j":{"a":[1,2]},"w":{"3":0.5},"v":[1.0,2.0],"l":["x","y"],"s":"{}"}
                {"id":2,"j":null,"w":null,"v":null,"l":null,"s":null}
                {"n":2}
                """,
                "warning: folder holds no warehouse: url=jdbc:loam:"
                    + url
                    + "; check the name, or make a warehouse there by a first CREATE TABLE\n"));
    assertThat(run(url, "--format", "csv", "-e", "SELECT id, s FROM t; SELECT 1 AS a"))
        .isEqualTo(new Run(0, "id,s\n1,{}\n2,\n\na\n1\n", ""));
    assertThat(Files.isDirectory(folder.resolve("new"))).isTrue();
  }
}
