package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise 11: bad input gives an error with SQLSTATE, value and remedy, and changes nothing. */
class BadInputTest {
  /** What no message may show: names of classes, encoded versions, and Calcite's own wrappers. */
  private static final Pattern INTERNAL =
      Pattern.compile(
          "docs@|\\b(org|java|io|com)\\.\\w+\\.|Exception|RexNode|Enumerable|"
              + "(?i:calcite|while executing|error at line|from line|janino|avatica)");

  private static final String BAD_VECTOR =
      "SELECT id FROM vector_search('docs', 'embedding', ?, 3)";
  private static final int MEBIBYTE = 1 << 20;

  @TempDir static Path folder;
  private static Connection connection;
  private List<List<@Nullable Object>> before = List.of();

  @BeforeAll
  static void create() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT ANALYZER 'english', lang VARCHAR,"
            + " year_ INTEGER, price DECIMAL(5,2), born DATE, seen TIMESTAMP, ok BOOLEAN, ref UUID,"
            + " tags VARCHAR ARRAY, extra JSON, embedding VECTOR(2), terms SPARSEVECTOR)");
    Sql.run(
        connection,
        "INSERT INTO docs (id, title, lang, year_, embedding, terms) VALUES"
            + " (1, 'a slender wing', 'en', 1958, '[1,0]', '{\"7\":1.5}'),"
            + " (2, 'a flat plate', 'en', 1961, '[0,1]', '{\"9\":0.5}')");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @BeforeEach
  void remember() throws SQLException {
    before = state();
  }

  /** Whatever failed, the table is what it was, in the version that it was. */
  @AfterEach
  void nothingChanged() throws SQLException {
    assertThat(state()).isEqualTo(before);
  }

  private static List<List<@Nullable Object>> state() throws SQLException {
    return Sql.rows(connection, "SELECT id, _version, _row_id, _source FROM docs ORDER BY id");
  }

  static Stream<Arguments> badStatements() {
    return Stream.of(
        // names
        arguments("SELECT 1 FROM dosc", "42P01", "did you mean docs?"),
        arguments("SELECT * FROM bm25('dosc', 'title', 'wing')", "42P01", "did you mean docs?"),
        arguments("INSERT INTO dosc (id) VALUES (9)", "42P01", "dosc"),
        arguments("DELETE FROM dosc", "42P01", "did you mean docs?"),
        arguments("DROP TABLE dosc", "42P01", "dosc"),
        arguments("SELECT titel FROM docs", "42703", "did you mean title?"),
        arguments("SELECT * FROM bm25('docs', 'titel', 'wing')", "42703", "did you mean title?"),
        arguments("INSERT INTO docs (id, titel) VALUES (9, 'x')", "42703", "did you mean title?"),
        arguments("DELETE FROM docs WHERE titel = 'x'", "42703", "did you mean title?"),
        arguments(
            "SELECT * FROM bm25('docs', 'title', 'wing', filter => 'yaer_ = 1')",
            "42703",
            "did you mean year_?"),
        arguments("SELECT * FROM TABLE(bm52('docs', 'title', 'x'))", "42883", "did you mean bm25?"),
        arguments("SELECT * FROM bm52('docs', 'title', 'x')", "42883", "did you mean bm25?"),
        arguments("SELECT lenght(lang) FROM docs", "42883", "lenght"),
        arguments(
            "SELECT * FROM bm25('docs', 'title', 'wing', filtre => 'ok')",
            "22023",
            "did you mean filter?"),
        arguments("SELECT * FROM bm25('docs', 'title')", "22023", "query"),
        arguments("SELECT * FROM bm25('docs', 'title', 'x', 1, k => 2)", "22023", "k"),
        arguments("SELECT * FROM bm25('docs', 'lang', 'x')", "42804", "use one of title"),
        arguments("SELECT * FROM vector_search('docs', 'lang', '[1]')", "42804", "embedding"),
        arguments("CREATE TABLE docs (id BIGINT PRIMARY KEY)", "42P07", "docs"),
        arguments("CREATE TABLE x (a BIGINT, A VARCHAR)", "42701", "a"),
        arguments("CREATE TABLE x (a TEXT ANALYZER 'klingon')", "42P16", "klingon"),
        arguments("CREATE TABLE x (v VECTOR(65537))", "42P16", "65537"),
        arguments("CREATE TABLE x (v VECTOR(0))", "42P16", "0"),
        arguments("CREATE TABLE x (_score DOUBLE)", "42P16", "_score"),
        // k
        arguments("SELECT * FROM bm25('docs', 'title', 'wing', 0)", "22023", "k=0"),
        arguments("SELECT * FROM bm25('docs', 'title', 'wing', -5)", "22023", "k=-5"),
        arguments("SELECT * FROM bm25('docs', 'title', 'wing', 100001)", "54000", "k=100001"),
        arguments("SELECT * FROM bm25('docs', 'title', 'wing', k => NULL)", "22023", "k"),
        arguments("SELECT * FROM bm25('docs', 'title', 'wing', 1.5)", "22023", "k=1.5"),
        arguments("SELECT * FROM bm25('docs', 'title', 'wing', 'many')", "22023", "many"),
        arguments("SELECT * FROM bm25('docs', 'title', NULL)", "22023", "query"),
        arguments("SELECT * FROM bm25('docs', 'title^0', 'x')", "22023", "boost=0"),
        arguments("SELECT * FROM bm25('docs', 'title,title', 'x')", "22023", "title"),
        arguments("SELECT * FROM bm25('docs', 'title', 'x', operator => 'xor')", "22023", "xor"),
        // vectors
        arguments(
            "SELECT * FROM vector_search('docs', 'embedding', '[1,0,0]')", "22023", "dimension"),
        arguments("SELECT * FROM vector_search('docs', 'embedding', '[1,x]')", "22P02", "x"),
        arguments("SELECT * FROM vector_search('docs', 'embedding', '')", "22P02", ""),
        arguments("SELECT * FROM vector_search('docs', 'embedding', '[NaN,1]')", "22P02", "NaN"),
        arguments(
            "SELECT * FROM vector_search('docs', 'embedding', '[1,0]', metric => 'l1')",
            "22023",
            "l1"),
        arguments("SELECT * FROM sparse_match('docs', 'terms', '{\"-1\":1}')", "22003", "-1"),
        arguments("SELECT * FROM sparse_match('docs', 'terms', 'terms')", "22P02", "terms"),
        arguments("SELECT * FROM hybrid(bm25('docs', 'title', 'x'))", "22023", "legs=1"),
        arguments(
            "SELECT * FROM hybrid(bm25('docs', 'title', 'x'), bm25('docs', 'title', 'y'),"
                + " weights => '[1]')",
            "22023",
            "weights"),
        // values
        arguments("INSERT INTO docs (id) VALUES (NULL)", "23502", "id"),
        arguments("INSERT INTO docs (title) VALUES ('no key')", "23502", "id"),
        arguments("INSERT INTO docs (id) VALUES (1)", "23505", "value=1"),
        arguments("INSERT INTO docs (id) VALUES (9), (9)", "23505", "value=9"),
        arguments("INSERT INTO docs (id) VALUES (9), (2)", "23505", "value=2"),
        arguments("INSERT INTO docs (id) SELECT id FROM docs", "23505", "value="),
        arguments("INSERT INTO docs (id, embedding) VALUES (9, '[1]')", "22023", "embedding"),
        arguments("INSERT INTO docs (id, embedding) VALUES (9, '[1,NaN]')", "22P02", "NaN"),
        arguments("INSERT INTO docs (id, embedding) VALUES (9, '[1,1e39]')", "22003", "1e39"),
        arguments(
            "INSERT INTO docs (id, terms) VALUES (9, '{\"1\":1,\"1\":2}')", "22023", "index=1"),
        arguments("INSERT INTO docs (id, extra) VALUES (9, '{')", "22P02", "extra"),
        arguments("INSERT INTO docs (id, ref) VALUES (9, 'abc')", "22P02", "abc"),
        arguments("INSERT INTO docs (id, year_) VALUES (9, 3000000000)", "22003", "3000000000"),
        arguments("INSERT INTO docs (id, price) VALUES (9, 1000)", "22003", "1000"),
        arguments("INSERT INTO docs (id, year_) VALUES (9, 'abc')", "22P02", "abc"),
        arguments("INSERT INTO docs (id, born) VALUES (9, 5)", "42804", "DATE"),
        arguments("INSERT INTO docs (id, title) VALUES (9)", "42601", ""),
        arguments(
            "INSERT INTO docs (id, born) VALUES (9, DATE '2026-02-30')", "42601", "2026-02-30"),
        arguments("INSERT INTO docs (id, born) VALUES (9, DATE 'soon')", "42601", "soon"),
        arguments("INSERT INTO docs (id, _score) VALUES (9, 1)", "42703", "_score"),
        arguments("SELECT 1 / 0 FROM docs", "22012", "zero"),
        arguments("SELECT id / (year_ - year_) FROM docs", "22012", "zero"),
        arguments("SELECT CAST(title AS INTEGER) FROM docs", "22P02", "a slender wing"),
        arguments("SELECT CAST('2026-13-01' AS DATE) FROM docs", "22P02", "2026-13-01"),
        arguments("SELECT id + ok FROM docs", "42804", ""),
        arguments("SELECT id FROM docs WHERE lang > DATE '2026-01-01' AND id", "42804", ""),
        arguments("DELETE FROM docs WHERE year_ / 0 = 1", "22012", "zero"),
        arguments("INSERT INTO docs (id) VALUES (DEFAULT)", "23502", "id"),
        arguments("SELECT id FROM docs WHERE ref = 'abc'", "22P02", "abc"),
        arguments("SELECT 2147483647 + 1 FROM docs", "22003", ""),
        arguments("UPDATE docs SET year_ = year_ + 2147483647", "22003", ""),
        arguments("SELECT (SELECT id FROM docs) FROM docs", "21000", "more than one row"),
        arguments("DELETE FROM \"docs$manifests\"", "0A000", "read only"),
        arguments("CREATE TABLE \"a$b\" (id BIGINT PRIMARY KEY)", "42P16", "a$b"),
        arguments("SELECT * FROM hybrid()", "22023", "too few legs"),
        arguments("SELECT * FROM hybrid(k => 3)", "22023", "too few legs"),
        // syntax
        arguments("SELECT order FROM docs", "42601", "reserved word"),
        arguments("", "42601", "statement is empty"),
        arguments("SELEC 1", "42601", "column=1"),
        arguments("SELECT id FROM docs WHERE", "42601", "syntax error"),
        arguments("SELECT 'open FROM docs", "42601", "syntax error"),
        arguments(
            "SELECT * FROM bm25('docs', 'title', 'x', filter => 'year_ =')", "42601", "filter"),
        arguments("SELECT lang, id FROM docs GROUP BY lang", "42601", "id"),
        // versions
        arguments("SELECT * FROM docs FOR VERSION AS OF 99", "22023", "99"),
        arguments("SELECT * FROM docs FOR VERSION AS OF 0", "22023", "0"),
        arguments("SELECT titel FROM docs FOR VERSION AS OF 1", "42703", "title"),
        arguments("SELECT * FROM bm25('dosc', 'title', 'x') FOR VERSION AS OF 1", "42P01", "docs"),
        arguments("SELECT * FROM dosc FOR VERSION AS OF 1", "42P01", "docs"),
        arguments("SELECT docs.titel FROM docs FOR VERSION AS OF 1", "42703", "title"));
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @MethodSource("badStatements")
  void badStatementFails(String sql, String state, String fragment) {
    assertFails(() -> Sql.run(connection, sql), state, fragment);
  }

  static Stream<Arguments> badBindings() {
    String insert = "INSERT INTO docs (id, %s) VALUES (9, ?)";
    return Stream.of(
        arguments(BAD_VECTOR, new float[] {1, 2, 3}, "22023", "dimension"),
        arguments(BAD_VECTOR, new float[] {Float.NaN, 1}, "22023", "NaN"),
        arguments(BAD_VECTOR, new float[] {1, Float.POSITIVE_INFINITY}, "22023", "Infinity"),
        arguments(BAD_VECTOR, null, "22023", "query"),
        arguments(BAD_VECTOR, "one", "22P02", "one"),
        arguments("SELECT id FROM bm25('docs', 'title', 'wing', ?)", 0, "22023", "k=0"),
        arguments("SELECT id FROM bm25('docs', 'title', 'wing', ?)", -1, "22023", "k=-1"),
        arguments("SELECT id FROM bm25('docs', 'title', 'wing', ?)", 100001, "54000", "k=100001"),
        arguments("SELECT id FROM bm25('docs', 'title', 'wing', ?)", null, "22023", "k"),
        arguments("SELECT id FROM bm25('docs', 'title', ?)", null, "22023", "query"),
        arguments(insert.formatted("embedding"), new float[] {Float.NaN, 1}, "22023", "embedding"),
        arguments(insert.formatted("embedding"), new double[] {1}, "22023", "embedding"),
        arguments(insert.formatted("embedding"), true, "42804", "Boolean"),
        arguments(insert.formatted("year_"), "abc", "22P02", "abc"),
        arguments(insert.formatted("year_"), Long.MAX_VALUE, "22003", "9223372036854775807"),
        arguments(insert.formatted("born"), "2026-02-30", "22P02", "2026-02-30"),
        arguments(insert.formatted("title"), "half \ud83d", "22P02", "title"),
        arguments(insert.formatted("ok"), new float[] {1}, "42804", "BOOLEAN"),
        arguments("INSERT INTO docs (id) VALUES (?)", null, "23502", "id"),
        arguments("INSERT INTO docs (id) VALUES (?)", 1, "23505", "value=1"),
        arguments(insert.formatted("title"), "x".repeat(17 * MEBIBYTE), "54000", "16777216"));
  }

  @ParameterizedTest(name = "[{index}] {0} {2}")
  @MethodSource("badBindings")
  void badBindingFails(String sql, @Nullable Object value, String state, String fragment) {
    assertFails(
        () -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Sql.bind(statement, value);
            statement.execute();
            try (ResultSet rows = statement.getResultSet()) {
              Sql.rows(rows);
            }
          }
        },
        state,
        fragment);
  }

  @Test
  void batchWithOneBadRowWritesNothing() {
    for (Integer last : new Integer[] {9, 2, null}) {
      String state = last == null ? "23502" : "23505";
      SQLException failure =
          assertFails(
              () -> insertBatch(9, 10, 11, last), state, last == null ? "id" : "value=" + last);
      assertThat((Throwable) failure).isInstanceOf(BatchUpdateException.class);
      // JDBC's way to say that no row was written.
      assertThat(((BatchUpdateException) failure).getUpdateCounts()).isEmpty();
    }
  }

  private static void insertBatch(@Nullable Integer... ids) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs (id, title) VALUES (?, 'wing')")) {
      for (Integer id : ids) {
        insert.setObject(1, id);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "+", "-", "\"", "\"\"", "*", "'", "((", "))", "|", "~", "+ -", "\"*\"", "()", "\\",
        "\u0000", "^", ":", "AND", "[ TO ]", "the"
      })
  void textWithoutWordsFindsNothing(String text) throws SQLException {
    // Without stop words' help: 'and' and 'the' are none that the English analyzer keeps.
    assertThat(Sql.rows(connection, "SELECT id FROM bm25('docs', 'title', ?)", text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"wing +", "\"wing", "wing*", "'wing'", "((wing", "wing))", "wing |", "+wing"})
  void strayOperatorsMeanNothing(String text) throws SQLException {
    assertThat(Sql.column(connection, "SELECT id FROM bm25('docs', 'title', ?)", text))
        .containsExactly(1L);
  }

  @Test
  void deepNestingEndsInAnErrorOrMeansNothing() throws SQLException {
    String open = "(".repeat(10_000);
    String close = ")".repeat(10_000);
    assertFails(
        () -> Sql.rows(connection, "SELECT id FROM docs WHERE " + open + "id = 1" + close),
        "54000",
        "nest");
    assertFails(
        () ->
            Sql.rows(
                connection,
                "SELECT id FROM bm25('docs', 'title', 'wing', filter => '"
                    + open
                    + "ok"
                    + close
                    + "')"),
        "54000",
        "nest");
    // Of a user's own text, what lies too deep means nothing.
    assertThat(
            Sql.rows(connection, "SELECT id FROM bm25('docs', 'title', ?)", open + "wing" + close))
        .isEqualTo(Sql.rows(connection, "SELECT id FROM bm25('docs', 'title', 'wing')"));
  }

  @Test
  void manyClausesEndInAnError() {
    String words =
        IntStream.range(0, 2_000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
    assertFails(
        () -> Sql.rows(connection, "SELECT id FROM bm25('docs', 'title', ?)", words),
        "54000",
        "1024");
  }

  @Test
  void whatIsClosedSaysSo() throws SQLException {
    Statement statement = connection.createStatement();
    statement.close();
    assertFails(() -> statement.execute("SELECT 1 FROM docs"), "08003", "closed");
    PreparedStatement prepared = connection.prepareStatement("SELECT id FROM docs");
    ResultSet rows = prepared.executeQuery();
    rows.close();
    assertFails(rows::next, "08003", "closed");
    prepared.close();
    assertFails(prepared::executeQuery, "08003", "closed");
    Connection other = Sql.connect(folder);
    other.close();
    assertFails(other::createStatement, "08003", "closed");
  }

  @Test
  void anyTextRoundTripsAndIsFound(@TempDir Path other) throws SQLException {
    List<String> texts =
        List.of(
            "it's a \"quoted\" text \\ with 'marks'",
            "emoji \ud83d\ude80 \ud83d\udc69\u200d\ud83d\udcbb rocket",
            "漢字 かな 한국어",
            "שלום עולם مرحبا",
            "before\u0000after nul",
            "tab\tnew\nline\r",
            "e\u0301 é ﬁ İ ß",
            "-- ; DROP TABLE t /* */");
    try (Connection c = Sql.connect(other)) {
      Sql.run(
          c,
          "CREATE TABLE t (id VARCHAR PRIMARY KEY, body TEXT, word TEXT ANALYZER 'keyword',"
              + " tags VARCHAR ARRAY)");
      for (String text : texts) {
        Sql.update(c, "INSERT INTO t VALUES (?, ?, ?, ?)", text, text, text, List.of(text, "x"));
      }
      for (String text : texts) {
        List<List<@Nullable Object>> row =
            Collections.singletonList(List.of(text, text, List.of(text, "x")));
        assertThat(Sql.rows(c, "SELECT id, body, tags FROM t WHERE id = ?", text)).isEqualTo(row);
        assertThat(Sql.rows(c, "SELECT id, body, tags FROM bm25('t', 'body', ?, 1)", text))
            .as(text)
            .isEqualTo(row);
        assertThat(
                Sql.rows(
                    c,
                    "SELECT id, body, tags FROM bm25('t', 'word', ?, 5, syntax => 'phrase')",
                    text))
            .as(text)
            .isEqualTo(row);
        String literal = "'" + text.replace("'", "''") + "'";
        assertThat(Sql.rows(c, "SELECT id, body, tags FROM t WHERE body = " + literal))
            .as(literal)
            .isEqualTo(row);
      }
    }
  }

  private static SQLException assertFails(ThrowingCallable call, String state, String fragment) {
    SQLException failure = catchThrowableOfType(SQLException.class, call);
    assertThat((Throwable) failure).as("no error").isNotNull();
    assertThat(failure.getMessage()).contains(fragment).doesNotContainPattern(INTERNAL);
    assertThat(failure.getSQLState()).as(failure.getMessage()).isEqualTo(state);
    return failure;
  }
}
