package io.loam.jdbc.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.loam.jdbc.LoamDriver;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.jline.reader.Candidate;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Parser;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What TAB offers where a column may stand. */
class ColumnCompleterTest {
  @TempDir Path folder;

  private Connection connect() throws SQLException {
    return Objects.requireNonNull(
        new LoamDriver().connect(LoamDriver.URL_PREFIX + folder, new Properties()));
  }

  @BeforeEach
  void create() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE Docs (id BIGINT PRIMARY KEY, title TEXT, price DOUBLE)");
      statement.execute("CREATE TABLE authors (doc BIGINT, name VARCHAR)");
    }
  }

  private List<String> offered(String text) throws IOException {
    ColumnCompleter.Names names = this::connect;
    return offered(text, names);
  }

  /** The values offered at the end of a text, of which jline shows those that continue the word. */
  private static List<String> offered(String text, ColumnCompleter.Names names) throws IOException {
    ColumnCompleter completer =
        new ColumnCompleter(
            (reader, line, candidates) -> candidates.add(new Candidate("!other")), names);
    try (Terminal terminal =
        new DumbTerminal(new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream())) {
      LineReader reader = LineReaderBuilder.builder().terminal(terminal).build();
      List<Candidate> candidates = new ArrayList<>();
      completer.complete(
          reader,
          new DefaultParser().parse(text, text.length(), Parser.ParseContext.COMPLETE),
          candidates);
      assertThat(candidates.remove(0).value()).as("what others offer").isEqualTo("!other");
      return candidates.stream().map(Candidate::value).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT ti                                  | doc,id,name,price,title",
        "SELECT id FROM docs WHERE ti               | id,price,title",
        "SELECT name FROM authors WHERE             | doc,name",
        "SELECT id FROM bm25('docs', 'title', 'x') WHERE pr | id,price,title",
        "SELECT * FROM docs JOIN authors ON d       | doc,id,name,price,title",
        "SELECT * FROM docs AS d JOIN authors a ON d.i | d.id,d.price,d.title",
        "SELECT * FROM docs AS d JOIN authors a ON a. | a.doc,a.name",
        "SELECT * FROM docs JOIN authors ON Authors.d | Authors.doc,Authors.name",
        "SELECT * FROM docsx WHERE                  | doc,id,name,price,title",
        "!tables                                    | ''",
      })
  void columnsOfTheTablesThatAreNamed(String text, String columns) throws IOException {
    assertThat(String.join(",", offered(text))).isEqualTo(columns);
  }

  @Test
  void newColumnsAreThereAtOnce() throws IOException, SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE docs ADD COLUMN stars INTEGER");
    }
    assertThat(offered("SELECT id FROM docs WHERE ")).contains("stars");
  }

  @Test
  void noNamesAreNoFailure() throws IOException {
    assertThat(
            offered(
                "SELECT ",
                () -> {
                  throw new SQLException("closed");
                }))
        .isEmpty();
  }
}
