package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a user reads after a mistake: the place, the nearest name, and nothing of the inside. */
class ErrorTextTest {
  @TempDir static Path folder;
  private static Connection connection;

  @BeforeAll
  static void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(connection, "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT, lang VARCHAR)");
    Sql.run(connection, "CREATE TABLE tagged (id BIGINT PRIMARY KEY, tags VARCHAR ARRAY)");
    Sql.run(connection, "INSERT INTO docs VALUES (1, 'one', 'en'), (2, 'two', 'de')");
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of("SELECT * FORM docs", "42601", "line=1, column="),
        Arguments.of("SELECT id\nFROM docs\nWHERE id = = 1", "42601", "line=3, column=10"),
        Arguments.of("SELECT order FROM docs", "42601", "reserved word"),
        Arguments.of("SELECT * FROM docs WHERE (id = 1", "42601", "line=1, column=32"),
        Arguments.of("SELECT 'abc FROM docs", "42601", "line=1, column=8"),
        Arguments.of("SELECT * FROM dosc", "42P01", "did you mean docs?"),
        Arguments.of("SELECT * FROM dosc FOR VERSION AS OF 1", "42P01", "table=dosc, line=1"),
        Arguments.of("SELECT * FROM \"dosc$manifests\"", "42P01", "table=dosc, line=1"),
        Arguments.of(
            "SELECT * FROM docs WHERE title = wing", "42703", "or write 'wing' if it is a text"),
        Arguments.of("SELECT titel FROM docs", "42703", "did you mean title?"),
        Arguments.of("SELECT titel FROM docs FOR VERSION AS OF 2", "42703", "column=titel"),
        Arguments.of("SELECT d.titel FROM docs FOR VERSION AS OF 2 d", "42703", "column=titel"),
        Arguments.of("SELECT _score FROM docs", "42703", "beside match(…), write score()"),
        Arguments.of("SELECT id FROM docs WHERE title = ARRAY['a']", "42804", "VARCHAR"),
        Arguments.of(
            "SELECT id FROM docs WHERE id = 'a1'", "22P02", "value=a1, type=BIGINT, line=1"),
        Arguments.of("SELECT uper(title) FROM docs", "42883", "did you mean upper?"),
        Arguments.of("SELECT bm25('x') FROM docs", "42883", "stands in FROM"),
        Arguments.of("SELECT * FROM bm52('docs', 'title', 'x')", "42883", "did you mean bm25?"),
        Arguments.of("SELECT * FROM bm25('dosc', 'title', 'x')", "42P01", "did you mean docs?"),
        Arguments.of("SELECT * FROM bm25('docs', 'titel', 'x')", "42703", "did you mean title?"),
        Arguments.of("SELECT docs.id FROM docs f", "42P01", "write its alias"),
        Arguments.of("SELECT dosc.id FROM docs f", "42P01", "did you mean docs?"),
        Arguments.of(
            "SELECT percent_rank() OVER (ORDER BY id) FROM docs", "0A000", "PERCENT_RANK, "),
        Arguments.of("SELECT cume_dist() OVER (ORDER BY id) FROM docs", "0A000", "CUME_DIST, "),
        Arguments.of("SELECT lenght(lang) FROM docs", "42883", "; write CHAR_LENGTH(<text>)"),
        Arguments.of("SELECT length(lang) FROM docs", "42883", "; write CHAR_LENGTH(<text>)"),
        Arguments.of(
            "SELECT highlight(title) FROM docs",
            "42601",
            "highlight takes 2 to 5 arguments: line=1, column=8; write highlight(column, query ["),
        Arguments.of(
            "INSERT INTO docs (id, lang) VALUES (3)",
            "42601",
            "another number of values than of columns: columns=2, values=1, line=1, column="),
        Arguments.of(
            "UPSERT INTO docs (id) SELECT id, lang FROM docs",
            "42601",
            "another number of values than of columns: columns=1, values=2, line=1, column="),
        Arguments.of("CREATE INDEX i ON docs (title)", "42601", "only VECTOR columns take one"),
        Arguments.of(
            "SELECT CAST(id AS INTEGER) + 2147483647 FROM docs",
            "22003",
            "number is out of range: operation=+, type=INTEGER; CAST to a wider type"),
        Arguments.of(
            "SELECT (id + 1) * 9223372036854775807 FROM docs",
            "22003",
            "number is out of range: operation=*, type=BIGINT; CAST to a wider type"),
        Arguments.of(
            "SELECT id - 9223372036854775807 - 9 FROM docs",
            "22003",
            "number is out of range: operation=-, type=BIGINT; CAST to a wider type"),
        Arguments.of("SELECT substring('a', 'b')", "0A000", "positions within texts"),
        Arguments.of("SELECT id FROM docs WHERE lang LIKE 'a' ESCAPE '!!'", "22023", "escape"),
        Arguments.of("SELECT {fn lcase('a', 'b')}", "42804", "{fn LCASE}(<CHARACTER>)"),
        Arguments.of("SELECT {fn nope(1)}", "42883", "number of its arguments"),
        Arguments.of(
            "SELECT a.id FROM docs a FULL JOIN docs b ON a.id = b.id AND NOT EXISTS"
                + " (SELECT 1 FROM docs c WHERE c.id < a.id AND c.lang = c.title)",
            "0A000",
            "join is not supported"),
        Arguments.of("SELECT id, count(*) FROM docs", "42601", "line=1, column=8"),
        Arguments.of("SELECT id FROM docs a, docs b", "42601", "ambiguous"),
        Arguments.of("INSERT INTO docs (id, titel) VALUES (3, 'x')", "42703", "column=titel"),
        Arguments.of("INSERT INTO docs (id) VALUES (3, 'x')", "42601", "line=1, column="),
        Arguments.of("INSERT INTO docs (title) VALUES ('x')", "23502", "column=id"),
        Arguments.of("UPDATE docs SET titel = 'x'", "42703", "column=titel"),
        Arguments.of("DELETE FROM docs WHERE idd = 1", "42703", "did you mean id?"),
        Arguments.of("SELECT count(*) FROM docs FOR VERSION AS OF 99", "22023", "newest=2"),
        Arguments.of("SELECT count(*) FROM docs FOR VERSION AS OF 'v1'", "22023", "tag=v1"),
        Arguments.of("CREATE TAG old ON docs", "42601", "\"old\", line=1, column=12"),
        Arguments.of("CREATE TABLE t (id BIGINT, user VARCHAR)", "42601", "\"user\" in quotes"),
        Arguments.of("SELECT * FROM nosuch.docs", "42P01", "schema=nosuch, line=1, column=15"),
        Arguments.of(
            "INSERT INTO docs (id, lang) VALUES (3, 'x'), (4)", "42601", "row=2, values=1"),
        Arguments.of("SELECT lang, id FROM docs GROUP BY lang", "42601", "add it to GROUP BY"),
        Arguments.of("SELECT id FROM docs WHERE max(id) > 1", "42601", "put it into HAVING"),
        Arguments.of("UPDATE docs SET lang = ARRAY['a']", "42804", "column=lang"),
        Arguments.of("UPDATE docs SET id = DATE '2026-01-01'", "42804", "given=DATE, line=1"),
        Arguments.of("SELECT id FROM docs WHERE lang LIKE 'a' ESCAPE ''", "22023", "line=1"),
        Arguments.of("SELECT COALESCE()", "42601", "COALESCE has no argument"),
        Arguments.of(
            "SELECT id, lag(id) IGNORE NULLS OVER (ORDER BY id) FROM docs",
            "0A000",
            "IGNORE NULLS"),
        Arguments.of("SELECT 'a' MEMBER OF ARRAY['a']", "0A000", "MEMBER OF"),
        Arguments.of(
            "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id) FROM docs",
            "0A000",
            "PERCENTILE_CONT"),
        Arguments.of(
            "SELECT * FROM docs MATCH_RECOGNIZE (ORDER BY id MEASURES A.id AS a PATTERN (A)"
                + " DEFINE A AS A.id > 1) AS m",
            "0A000",
            "MATCH_RECOGNIZE is not supported"),
        Arguments.of("SELECT ln(0)", "22023", "logarithm"),
        Arguments.of("SELECT JSON_LENGTH('$.a')", "22P02", "text is not JSON"),
        Arguments.of("SELECT CAST('x' AS BOOLEAN)", "22P02", "not a BOOLEAN: value=x"),
        Arguments.of("DESCRIBE dosc", "42P01", "table=dosc, line=1"),
        Arguments.of("CALL loam.gx('docs')", "42883", "loam.gc"),
        Arguments.of("\n  SELEC 1", "42601", "word=SELEC, line=2, column=3; did you mean SELECT?"),
        Arguments.of("xyzzy 4", "42601", "word=xyzzy, line=1, column=1; begin it with SELECT"),
        Arguments.of("begin", "0A000", "setAutoCommit(false)"),
        Arguments.of("START TRANSACTION", "0A000", "setAutoCommit(false)"),
        Arguments.of("COMMIT", "0A000", "call commit()"),
        Arguments.of("ROLLBACK", "0A000", "call rollback()"),
        Arguments.of("USE other", "0A000", "call setSchema"),
        Arguments.of("TRUNCATE TABLE docs", "0A000", "DELETE FROM"),
        Arguments.of("SET SCHEMA 'loam'", "0A000", "properties of the connection"),
        Arguments.of("GRANT SELECT ON docs TO bob", "0A000", "what the storage allows"),
        Arguments.of("LOCK TABLE docs", "0A000", "rows are not locked"),
        Arguments.of("RENAME TABLE docs TO d", "0A000", "names stay"),
        Arguments.of("ALTER TABLE docs RENAME TO d", "0A000", "names stay"),
        Arguments.of("show databases", "0A000", "getSchemas() of DatabaseMetaData"),
        Arguments.of("SHOW COLUMNS FROM docs", "0A000", "write SHOW TABLES, or DESCRIBE"),
        Arguments.of("EXPLAIN SELECT id FROM docs", "0A000", "write EXPLAIN PLAN FOR"),
        Arguments.of("DESC docs", "0A000", "write DESCRIBE"),
        Arguments.of("CREATE VIEW v AS SELECT 1", "0A000", "as a subquery"),
        Arguments.of("CREATE INDEX x ON docs (title)", "42601", "end it with USING"),
        Arguments.of("DROP INDEX x", "42601", "end it with ON <table>"),
        Arguments.of("CALL loam.gc", "42601", "needs parentheses"),
        Arguments.of("DELETE docs", "42601", "DELETE needs FROM"),
        Arguments.of("INSERT docs VALUES (3)", "42601", "INSERT needs INTO"),
        Arguments.of(
            "CREATE TABLE t (id BIGINT, x INTEGER DEFAULT 5)", "42601", "not supported: write"),
        Arguments.of(
            "CREATE TABLE t (id BIGINT, x INTEGER UNIQUE)", "42601", "UNIQUE is not supported"),
        Arguments.of("CREATE UNIQUE INDEX x ON docs (id)", "0A000", "only a PRIMARY KEY"),
        Arguments.of(
            "INSERT INTO docs (id) VALUES (1) ON CONFLICT DO NOTHING", "0A000", "UPSERT INTO"),
        Arguments.of(
            "ALTER TABLE docs ALTER COLUMN lang SET DATA TYPE TEXT", "0A000", "keep their types"),
        Arguments.of("SELECT id::text FROM docs", "42601", "write CAST(<value> AS <type>)"),
        Arguments.of("SELECT id FROM docs WHERE id == 1", "42601", "write = to compare"),
        Arguments.of("SELECT * FROM `docs`", "42601", "quote names as \"name\""),
        Arguments.of("SELECT now()", "42883", "write CURRENT_TIMESTAMP"),
        Arguments.of("SELECT string_agg(lang, ',') FROM docs", "42883", "write LISTAGG("),
        Arguments.of("SELECT date_trunc('month', CURRENT_TIMESTAMP)", "42883", "TO MONTH)"),
        Arguments.of("SELECT id FROM docs WHERE lang ILIKE 'a%'", "42883", "LIKE UPPER("),
        Arguments.of("SELECT version()", "42883", "getDatabaseProductVersion()"),
        Arguments.of("SELECT sume(id) FROM docs", "42883", "did you mean sum?"),
        Arguments.of("SELECT * FROM \"docs$segment\"", "42P01", "did you mean docs$segments?"),
        Arguments.of("INSERT INTO tagged VALUES (1, '[\"a\"]')", "22P02", "ARRAY['a', 'b']"),
        Arguments.of("CREATE TABLE t (id BIGINT, a FOO)", "42P16", "type=FOO;"),
        Arguments.of("SELECT CAST(id AS TIMESTAMP) FROM docs", "42804", "number is no time"),
        Arguments.of("SELECT CAST(id AS DATE) FROM docs", "42804", "cannot convert"),
        Arguments.of("EXPLAIN PLAN FOR SELEC 1", "42601", "line=1, column=18"),
        Arguments.of("SHOW TABLES FROM 1", "42601", "line=1, column="),
        Arguments.of("SELECT cout(*) FROM docs", "42883", "call=cout(*), line=1"),
        Arguments.of("SELECT DATE '10000-01-01'", "22003", "the years 0001 to 9999"),
        Arguments.of("SELECT id FROM tagged WHERE 'abc' = ANY(tags)", "42804", "array_contains("),
        Arguments.of("SELECT id FROM docs WHERE ARRAY['a'] = 'a'", "42804", "array_contains("),
        Arguments.of("", "42601", "statement is empty"),
        Arguments.of(" -- a remark\n /* another; */ ;", "42601", "statement is empty"),
        Arguments.of("/* a remark */ DESC docs", "0A000", "begins with=DESC"),
        Arguments.of("SELECT match(lang, 'x') FROM docs", "42804", "argument=lang, type=VARCHAR"),
        Arguments.of("SELECT match(upper(lang), 'x') FROM docs", "42804", "an expression"),
        Arguments.of(
            "SELECT OVERLAY('a' PLACING 'xy' FROM CHAR_LENGTH(title)) FROM docs",
            "22023",
            "position"),
        Arguments.of("SELECT CAST(id * 99999 AS SMALLINT) FROM docs", "22003", "value=99999;"),
        Arguments.of("SELECT CAST(id * 12345 AS DECIMAL(5, 2)) FROM docs", "22003", "(5, 2)"),
        Arguments.of("EXPLAIN ANALYZE DELETE FROM docs", "0A000", "would change data; use"),
        Arguments.of("SET x = 1", "0A000", "SET is not supported: line=1, column=1"),
        Arguments.of("SELECT (SELECT id, lang FROM docs)", "42601", "columns where one value is"),
        Arguments.of("SELECT CAST('a' AS VARCHAR(0))", "22023", "VARCHAR(0), line=1, column=20"),
        Arguments.of("CREATE TABLE t (a VARCHAR(0))", "22023", "length of a type is 0"),
        Arguments.of("ALTER TABLE docs ADD COLUMN a VARCHAR(0)", "22023", "length of a type is 0"),
        Arguments.of("CREATE TABLE t (a DECIMAL(5, -2))", "22023", "DECIMAL(5, -2), line=1"),
        Arguments.of("SELECT CAST(1 AS DECIMAL(5, -2))", "22023", "give 0 or more"),
        Arguments.of("SELECT CAST(1 AS DECIMAL(60, 2))", "22023", "give 38 at most"),
        Arguments.of(
            "SELECT rank() OVER (ORDER BY lang),\n cume_dist() OVER (ORDER BY id) FROM docs",
            "0A000",
            "call=cume_dist, line=2, column=2"),
        Arguments.of(
            "SELECT upper('a'), substring('a', 'b')",
            "0A000",
            "one of the calls=upper, substring;"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void mistakesAreExplained(String sql, String state, String says) {
    SQLException error = catchThrowableOfType(SQLException.class, () -> Sql.run(connection, sql));
    assertThat(error.getMessage()).contains(says);
    assertThat(error.getSQLState()).as(error.getMessage()).isEqualTo(state);
    assertThat(error.getMessage())
        .doesNotContain("@", "org.apache", "\u0001", "$columns", "$SCALAR");
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      assertThat(cause.getClass().getName()).doesNotContain("calcite");
    }
  }
}
