package io.loam.calcite;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements over a warehouse in memory: rows and plans. */
class SqlTest {
  private SqlFixture sql;

  @BeforeEach
  void open() throws SQLException {
    sql = new SqlFixture();
    sql.update(
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, title TEXT ANALYZER 'english', body TEXT,"
            + " lang VARCHAR, year_ INTEGER, price DOUBLE, paid DECIMAL(12,2), born DATE,"
            + " seen TIMESTAMP, ok BOOLEAN, ref UUID, tags VARCHAR ARRAY, extra JSON,"
            + " embedding VECTOR(3), terms SPARSEVECTOR) WITH ('metric.embedding' = 'cosine')");
    sql.update(
        "INSERT INTO docs VALUES"
            + " (1, 'Wing', 'boundary layer wing', 'en', 1960, 1.5, 12.34, DATE '2020-01-02',"
            + " TIMESTAMP '2020-01-02 03:04:05.678', true,"
            + " '00000000-0000-0000-0000-000000000001', ARRAY['a', 'b'], '{\"a\":1}',"
            + " '[1,0,0]', '{\"1\":0.5}'),"
            + " (2, 'Flow', 'slipstream layer', 'de', 1970, 2.5, NULL, NULL, NULL, false, NULL,"
            + " ARRAY['b'], NULL, ARRAY[0, 1.0, 0], '{\"2\":1}'),"
            + " (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
            + " NULL)");
  }

  @AfterEach
  void close() throws SQLException {
    sql.close();
    assertThat(sql.warehouse.openSnapshots()).isZero();
  }

  @Test
  void everyTypeComesBack() throws SQLException {
    // The plain driver takes the microseconds of a plan for milliseconds.
    List<String> columns =
        List.of(
            "id, title, body, lang, year_, price, paid, born, CAST(seen AS VARCHAR), ok, ref, tags",
            "extra, embedding, terms");
    assertThat(sql.rows("SELECT " + String.join(", ", columns) + " FROM docs ORDER BY id"))
        .containsExactly(
            "1|Wing|boundary layer wing|en|1960|1.5|12.34|2020-01-02|2020-01-02 03:04:05.678|true|"
                + "00000000-0000-0000-0000-000000000001|[a, b]|{\"a\":1}|[1.0, 0.0, 0.0]|"
                + "{\"1\":0.5}",
            "2|Flow|slipstream layer|de|1970|2.5|null|null|null|false|null|[b]|null|"
                + "[0.0, 1.0, 0.0]|{\"2\":1}",
            "3|null|null|null|null|null|null|null|null|null|null|null|null|null|null");
  }

  @Test
  void textIsNotPadded() throws SQLException {
    assertThat(sql.rows("SELECT * FROM (VALUES (50, 'a'), (51, 'bcd')) AS v(a, b)"))
        .containsExactly("50|a", "51|bcd");
    assertThat(
            sql.rows(
                "SELECT CASE WHEN id = 1 THEN 'x' ELSE 'yyy' END FROM docs WHERE id < 3"
                    + " ORDER BY id"))
        .containsExactly("x", "yyy");
    sql.update("INSERT INTO docs (id, lang) SELECT * FROM (VALUES (50, 'a'), (51, 'bcd'))");
    sql.update("UPDATE docs SET body = CASE WHEN id = 50 THEN 'x' ELSE 'yyy' END WHERE id > 3");
    assertThat(sql.rows("SELECT lang, body FROM docs WHERE id > 3 ORDER BY id"))
        .containsExactly("a|x", "bcd|yyy");
  }

  @Test
  void defaultIsNull() throws SQLException {
    assertThat(sql.error("INSERT INTO docs (id) VALUES (DEFAULT)")).startsWith("NULL_NOT_ALLOWED");
    sql.update("INSERT INTO docs (id, lang) VALUES (4, DEFAULT)");
    assertThat(sql.rows("SELECT lang FROM docs WHERE id = 4")).containsExactly("null");
  }

  @Test
  void textComparesWithUuids() throws SQLException {
    String uuid = "00000000-0000-0000-0000-000000000001";
    assertThat(sql.rows("SELECT id FROM docs WHERE ref = '" + uuid + "'")).containsExactly("1");
    assertThat(sql.plan("SELECT id FROM docs WHERE ref = '" + uuid + "'"))
        .doesNotContain("Enumerable");
    assertThat(sql.rows("SELECT id FROM docs WHERE ref = ?", uuid)).containsExactly("1");
    assertThat(sql.rows("SELECT id FROM docs WHERE ref IN ('" + uuid + "')")).containsExactly("1");
    assertThat(sql.error("SELECT id FROM docs WHERE ref = 'abc'")).startsWith("INVALID_TEXT");
    assertThat(sql.rows("SELECT CAST(ref AS VARCHAR) FROM docs ORDER BY id"))
        .containsExactly(uuid, "null", "null");
    assertThat(sql.update("DELETE FROM docs WHERE ref = '" + uuid + "'")).isEqualTo(1);
  }

  @Test
  void arithmeticIsChecked() {
    assertThat(sql.error("SELECT 2147483647 + 1 FROM docs")).startsWith("OUT_OF_RANGE");
    assertThat(sql.error("UPDATE docs SET year_ = year_ + 2147483647")).startsWith("OUT_OF_RANGE");
    assertThat(sql.error("SELECT id FROM docs WHERE year_ * 2000000 > 0"))
        .startsWith("OUT_OF_RANGE");
  }

  @Test
  void systemTablesAreReadOnly() {
    assertThat(sql.error("DELETE FROM \"docs$manifests\"")).startsWith("UNSUPPORTED");
    assertThat(sql.error("UPDATE \"docs$manifests\" SET kind = 'x'")).startsWith("UNSUPPORTED");
    assertThat(sql.error("INSERT INTO \"docs$manifests\" (version) VALUES (9)"))
        .startsWith("UNSUPPORTED");
    assertThat(sql.error("CREATE TABLE \"a$b\" (id BIGINT PRIMARY KEY)"))
        .startsWith("INVALID_SCHEMA");
  }

  @Test
  void badValuesAreNoInternalErrors() throws SQLException {
    assertThat(sql.error("SELECT (SELECT id FROM docs) FROM docs")).startsWith("CARDINALITY");
    sql.update("CREATE TABLE reals (r REAL)");
    assertThat(sql.error("INSERT INTO reals VALUES (1e39)")).startsWith("OUT_OF_RANGE");
    assertThat(sql.error("SELECT CAST(title AS BIGINT) FROM docs"))
        .startsWith("INVALID_TEXT")
        .contains("Wing");
    assertThat(sql.error("SELECT order FROM docs")).contains("reserved word");
    assertThat(sql.error("SELECT * FROM hybrid()")).contains("too few legs");
    assertThat(sql.error("SELECT * FROM hybrid(k => 3)")).contains("too few legs");
  }

  @Test
  void systemColumnsAreThereWhenNamed() throws SQLException {
    assertThat(sql.rows("SELECT id, _row_id, _version FROM docs WHERE id = 2"))
        .containsExactly("2|1|2");
    assertThat(sql.rows("SELECT * FROM (SELECT id, _version FROM docs) AS x WHERE id = 1"))
        .containsExactly("1|2");
    assertThat(sql.error("INSERT INTO docs (id, _row_id) VALUES (9, 1)"))
        .startsWith("UNKNOWN_COLUMN");
  }

  @Test
  void filtersSortsAndLimitsMoveIntoTheScan() throws SQLException {
    String query =
        "SELECT id, lang FROM docs WHERE year_ >= 1960 AND (lang IN ('en', 'de') OR tags IS NULL)"
            + " AND NOT (price > 2 OR ok = false) AND lang LIKE 'e%' AND array_contains(tags, 'a')"
            + " ORDER BY year_ DESC, id LIMIT 5 OFFSET 0";
    assertThat(sql.plan(query))
        .startsWith("LoamScan(")
        .contains("year_ >= 1960", "price <= 2.0", "lang LIKE 'e%'", "array_contains(tags, 'a')")
        .contains("sort=[year_ DESC NULLS FIRST, id]", "limit=[5]")
        .doesNotContain("Enumerable");
    assertThat(sql.rows(query)).containsExactly("1|en");
  }

  @Test
  void whatCoreCannotEvaluateStaysAbove() throws SQLException {
    String query = "SELECT id FROM docs WHERE upper(lang) = 'EN' AND year_ > 1950";
    assertThat(sql.plan(query))
        .contains("UPPER")
        .contains("LoamScan(collection=[loam.docs], filter=[year_ > 1950], output=[id, lang])");
    assertThat(sql.rows(query)).containsExactly("1");
  }

  @Test
  void countsAreAskedOfTheSnapshot() throws SQLException {
    assertThat(sql.plan("SELECT count(*) FROM docs WHERE year_ > 1960"))
        .isEqualTo("LoamScan(collection=[loam.docs], filter=[year_ > 1960], groups=[count(*)])");
    assertThat(sql.rows("SELECT count(*) FROM docs WHERE year_ > 1960")).containsExactly("1");
  }

  @Test
  void groupsAreMadeByTheScan() throws SQLException {
    String query =
        "SELECT lang, ok, count(*), count(tags), sum(year_), min(year_), max(born), avg(year_)"
            + " FROM docs WHERE year_ > 1 GROUP BY lang, ok";
    assertThat(sql.plan(query))
        .contains(
            "groups=[lang, ok, count(*), count(tags), sum(year_), min(year_), max(born),"
                + " count(year_)]")
        .doesNotContain("Aggregate");
    String facets = "SELECT lang, count(*) FROM bm25('docs', 'body', 'wing') GROUP BY lang";
    assertThat(sql.plan(facets)).contains("search=[bm25(", "groups=[lang, count(*)]");
    for (String above :
        List.of(
            "SELECT price, count(*) FROM docs GROUP BY price",
            "SELECT count(body) FROM docs",
            "SELECT lang, count(*) FROM (SELECT * FROM docs ORDER BY id LIMIT 2) GROUP BY lang",
            "SELECT lang, count(*) FILTER (WHERE ok) FROM docs GROUP BY lang",
            "SELECT lang, count(*) FROM docs GROUP BY GROUPING SETS ((lang), ())")) {
      assertThat(sql.plan(above)).as(above).contains("Aggregate", "output=[");
    }
  }

  @Test
  void nullsFollowSqlInEveryNegation() throws SQLException {
    assertThat(sql.rows("SELECT id FROM docs WHERE NOT (year_ = 1960)")).containsExactly("2");
    assertThat(sql.rows("SELECT id FROM docs WHERE NOT (year_ = ?)", (Object) null)).isEmpty();
    assertThat(sql.rows("SELECT id FROM docs WHERE year_ NOT IN (1960, 1961)"))
        .containsExactly("2");
    assertThat(sql.rows("SELECT id FROM docs WHERE NOT (lang LIKE 'e%')")).containsExactly("2");
    assertThat(sql.rows("SELECT id FROM docs WHERE year_ IS NULL")).containsExactly("3");
    assertThat(sql.rows("SELECT id FROM docs WHERE ok ORDER BY id")).containsExactly("1");
    assertThat(sql.rows("SELECT id FROM docs WHERE NOT ok")).containsExactly("2");
  }

  @Test
  void parametersAreBoundWhenTheStatementRuns() throws SQLException {
    try (PreparedStatement statement =
        sql.connection.prepareStatement(
            "SELECT id FROM docs WHERE year_ > ? AND id <> ? ORDER BY id LIMIT ?")) {
      for (int year : new int[] {1900, 1965}) {
        statement.setInt(1, year);
        statement.setLong(2, 7);
        statement.setInt(3, 10);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getLong(1)).isEqualTo(year == 1900 ? 1 : 2);
        }
      }
    }
  }

  @Test
  void vectorsAreFoundAndRanked() throws SQLException {
    assertThat(
            sql.rows(
                "SELECT id, _score FROM vector_search('docs', 'embedding', ?, ?)",
                new float[] {2, 0, 0},
                1))
        .containsExactly("1|1.0");
    assertThat(
            sql.rows(
                "SELECT id, _distance FROM vector_search(query => '[1,0,0]', collection => 'docs',"
                    + " column => 'embedding', metric => 'l2', exact => true)"))
        .containsExactly("1|0.0", "2|1.4142135623730951");
  }

  @Test
  void textIsFoundUnderAFilterAndAboveIt() throws SQLException {
    assertThat(
            sql.rows(
                "SELECT id FROM bm25('docs', 'title^2,body', 'layer', k => 1,"
                    + " filter => 'YEAR_ > 1965 AND lang <> ''en''')"))
        .containsExactly("2");
    // The one row that the search finds is filtered away afterwards.
    String above =
        "SELECT id FROM bm25('docs', 'body', 'slipstream layer', k => 1) WHERE year_ < 1965";
    assertThat(sql.rows(above)).isEmpty();
    assertThat(sql.plan(above)).contains("search=[bm25(", "k => 1", "filter=[year_ < 1965]");
    assertThat(sql.rows("SELECT id FROM bm25('docs', 'body', ?, filter => ?)", "layer", "ok"))
        .containsExactly("1");
  }

  @Test
  void searchOrderNeedsNoSort() throws SQLException {
    assertThat(
            sql.plan(
                "SELECT id, _score FROM bm25('docs', 'body', 'layer') ORDER BY _score DESC LIMIT"
                    + " 3"))
        .isEqualTo(
            "LoamScan(collection=[loam.docs], search=[bm25(columns => 'body', query => 'layer',"
                + " k => default)], output=[id, _score], limit=[3])");
  }

  @Test
  void sparseVectorsMatch() throws SQLException {
    assertThat(sql.rows("SELECT id, _score FROM sparse_match('docs', 'terms', '{\"2\":3}')"))
        .containsExactly("2|3.0");
    assertThat(sql.rows("SELECT id FROM sparse_match('docs', 'terms', MAP[1, 2.0])"))
        .containsExactly("1");
  }

  @Test
  void hybridFusesRanks() throws SQLException {
    assertThat(
            sql.rows(
                "SELECT h.id, _rank_1, _rank_2 FROM hybrid("
                    + "vector_search('docs', 'embedding', ?, 100),"
                    + " bm25('docs', 'body', 'slipstream', k => 5), k => 10, fusion => 'rrf') AS h",
                new float[] {0, 1, 0}))
        .containsExactly("2|1|1", "1|2|null");
  }

  @Test
  void joinsGroupsWindowsAndSubqueriesWork() throws SQLException {
    sql.update("CREATE TABLE langs (code VARCHAR PRIMARY KEY, name VARCHAR)");
    sql.update("INSERT INTO langs VALUES ('en', 'English'), ('de', 'German')");
    assertThat(
            sql.rows(
                "SELECT b.id, l.name FROM bm25('docs', 'body', 'layer') AS b"
                    + " JOIN langs l ON b.lang = l.code ORDER BY b.id"))
        .containsExactly("1|English", "2|German");
    assertThat(
            sql.rows(
                "SELECT lang, count(*), max(year_) FROM docs GROUP BY lang"
                    + " HAVING max(year_) > 1960"))
        .containsExactly("de|1|1970");
    assertThat(sql.rows("SELECT id, rank() OVER (ORDER BY price DESC) FROM docs WHERE id < 3"))
        .containsExactlyInAnyOrder("2|1", "1|2");
    assertThat(
            sql.rows(
                "SELECT id FROM docs d WHERE EXISTS"
                    + " (SELECT 1 FROM langs WHERE code = d.lang AND name LIKE 'G%')"))
        .containsExactly("2");
    assertThat(sql.plan("SELECT d.id, l.name FROM docs d JOIN langs l ON d.lang = l.code"))
        .contains("output=[id, lang]", "output=[code, name]");
  }

  @Test
  void olderVersionsCanBeRead() throws SQLException {
    sql.update("DELETE FROM docs WHERE id = 1");
    assertThat(sql.rows("SELECT count(*) FROM docs")).containsExactly("2");
    assertThat(sql.rows("SELECT docs.id FROM docs FOR VERSION AS OF 2 WHERE docs.id = 1"))
        .containsExactly("1");
    assertThat(sql.rows("SELECT id FROM bm25('docs', 'body', 'wing') FOR VERSION AS OF 2"))
        .containsExactly("1");
    assertThat(
            sql.rows(
                "SELECT was.id FROM docs FOR VERSION AS OF 2 AS was LEFT JOIN docs AS now"
                    + " ON was.id = now.id WHERE now.id IS NULL"))
        .containsExactly("1");
    assertThat(sql.rows("SELECT version, documents FROM \"docs$manifests\""))
        .containsExactly("3|2", "2|3", "1|0");
  }

  @Test
  void p5AStatementReadsOneSnapshot() throws SQLException {
    try (PreparedStatement statement =
            sql.connection.prepareStatement(
                "SELECT a.id, b._version FROM docs a JOIN docs b ON a.id = b.id ORDER BY a.id");
        ResultSet rows = statement.executeQuery()) {
      assertThat(rows.next()).isTrue();
      sql.update("DELETE FROM docs");
      assertThat(rows.getLong(2)).isEqualTo(2);
      assertThat(rows.next()).isTrue();
      assertThat(rows.getLong(2)).isEqualTo(2);
    }
    assertThat(sql.rows("SELECT count(*) FROM docs")).containsExactly("0");
  }

  @Test
  void rowsAreWritten() throws SQLException {
    assertThat(
            sql.update(
                "INSERT INTO docs (embedding, id) VALUES (?, ?), ('[0,0,1]', 5)",
                new float[] {0, 0, 2},
                4L))
        .isEqualTo(2);
    assertThat(sql.update("UPSERT INTO docs (id, title) VALUES (5, 'new')")).isEqualTo(1);
    assertThat(sql.update("UPDATE docs SET title = 'up', year_ = year_ + 1 WHERE id <= 2"))
        .isEqualTo(2);
    assertThat(
            sql.update("INSERT INTO docs (id, title) SELECT id + 10, title FROM docs WHERE id = 5"))
        .isEqualTo(1);
    assertThat(sql.update("DELETE FROM docs WHERE id IN (SELECT max(id) - 12 FROM docs)"))
        .isEqualTo(1);
    assertThat(sql.rows("SELECT id, title, year_, embedding FROM docs ORDER BY id"))
        .containsExactly(
            "1|up|1961|[1.0, 0.0, 0.0]",
            "2|up|1971|[0.0, 1.0, 0.0]",
            "4|null|null|[0.0, 0.0, 2.0]",
            "5|new|null|null",
            "15|new|null|null");
  }

  @Test
  void plainInsertsRunWithoutGeneratedCode() throws SQLException {
    assertThat(sql.plan("INSERT INTO docs (id, title) VALUES (8, 'x'), (7, NULL)"))
        .isEqualTo("LoamInsertValues(collection=[loam.docs], mode=[insert], rows=[2])");
  }

  @Test
  void aBatchIsOneCommit() throws SQLException {
    CalciteSignature<?> signature = sql.signature("INSERT INTO docs (id, title) VALUES (?, ?)");
    assertThat(LoamBulk.supports(signature)).isTrue();
    long[] counts =
        LoamBulk.execute(
            signature, sql.context(), List.of(new Object[] {10L, "x"}, new Object[] {11L, "y"}));
    assertThat(counts).containsExactly(1, 1);
    CalciteSignature<?> computed =
        sql.signature(
            "INSERT INTO docs (id, title) VALUES (CAST(? AS BIGINT) + 1, upper(CAST(? AS"
                + " VARCHAR)))");
    LoamBulk.execute(
        computed, sql.context(), List.of(new Object[] {20L, "x"}, new Object[] {21L, "y"}));
    assertThat(sql.rows("SELECT id, title, _version FROM docs WHERE id >= 10 ORDER BY id"))
        .containsExactly("10|x|4", "11|y|4", "21|X|4", "22|Y|4");
    assertThat(LoamBulk.supports(sql.signature("DELETE FROM docs WHERE id = ?"))).isFalse();
  }

  @Test
  void plansAreSharedUntilTheSchemaChanges() throws SQLException {
    CalciteSignature<?> first = sql.signature("SELECT * FROM docs");
    assertThat(sql.signature("SELECT * FROM docs")).isSameAs(first);
    try (PreparedStatement old = sql.connection.prepareStatement("SELECT * FROM docs")) {
      sql.update("DROP TABLE docs");
      sql.update("CREATE TABLE docs (a VARCHAR, b BIGINT PRIMARY KEY)");
      assertThat(sql.error("SELECT id FROM docs")).startsWith("UNKNOWN_COLUMN");
      assertThat(sql.rows("SELECT * FROM docs")).isEmpty();
      assertThat(CalciteErrors.translate(sql.failure(old)).getMessage())
          .contains("prepare it again");
    }
  }

  @Test
  void tablesAreMadeWhenTheStatementRuns() throws SQLException {
    try (PreparedStatement create =
        sql.connection.prepareStatement("-- new\nCREATE TABLE other (a VARCHAR)")) {
      assertThat(sql.error("SELECT * FROM other")).startsWith("UNKNOWN_COLLECTION");
      create.executeUpdate();
      assertThat(sql.rows("SELECT * FROM other")).isEmpty();
    }
  }

  @Test
  void wordsOfTheGrammarMayNameColumns() throws SQLException {
    sql.update(
        "CREATE TABLE words (text TEXT, vector VECTOR(2), json JSON, filter VARCHAR,"
            + " analyzer VARCHAR, language VARCHAR, value_ VARCHAR, start INTEGER)");
    assertThat(sql.rows("SELECT text, vector, json, filter, analyzer, language, start FROM words"))
        .isEmpty();
  }

  @Test
  void errorsSayWhatIsWrong() {
    Map.ofEntries(
            Map.entry(
                "SELECT * FROM dcs",
                "UNKNOWN_COLLECTION: unknown table: table=dcs, line=1,"
                    + " column=15; did you mean docs?"),
            Map.entry(
                "SELECT titel FROM docs",
                "UNKNOWN_COLUMN: unknown column: column=titel,"
                    + " line=1, column=8; did you mean title?"),
            Map.entry("SELECT * FROM bm26('docs', 'body', 'x')", "UNKNOWN_FUNCTION: "),
            Map.entry(
                "SELEC 1", "SYNTAX_ERROR: statement begins with no keyword of SQL: word=SELEC"),
            Map.entry(
                "SELECT * FROM bm25('docz', 'body', 'x')",
                "UNKNOWN_COLLECTION: bm25: unknown collection: collection=docz; did you mean"
                    + " docs?"),
            Map.entry(
                "SELECT * FROM bm25('docs', 'bdy', 'x')",
                "UNKNOWN_COLUMN: bm25: unknown column: column=bdy; did you mean body?"),
            Map.entry("SELECT * FROM bm25('docs', 'lang', 'x')", "TYPE_MISMATCH: bm25: "),
            Map.entry(
                "SELECT * FROM bm25('docs', 'body', 'x', kk => 1)",
                "INVALID_ARGUMENT: bm25: unknown argument: argument=kk; did you mean k?"),
            Map.entry("SELECT * FROM bm25('docs', 'body', 'x', 0)", "INVALID_ARGUMENT: bm25: k "),
            Map.entry("SELECT * FROM bm25('docs', 'body', 'x', 100001)", "LIMIT_EXCEEDED: bm25: "),
            Map.entry(
                "SELECT * FROM bm25('docs', 'body', 'x', filter => 'yeer_ = 1')",
                "UNKNOWN_COLUMN: filter: unknown column: column=yeer_; did you mean year_?"),
            Map.entry(
                "SELECT * FROM vector_search('docs', 'embedding', '[1,2]')",
                "INVALID_ARGUMENT: wrong dimension: column=embedding, given=2, wanted=3; "),
            Map.entry(
                "SELECT * FROM vector_search('docs', 'embedding', '[1,2,NaN]')",
                "INVALID_TEXT: not a vector: value=[1,2,NaN]"),
            Map.entry(
                "SELECT * FROM vector_search('docs', 'embedding', NULL)",
                "INVALID_ARGUMENT: vector_search: argument is null: argument=query"),
            Map.entry(
                "SELECT * FROM hybrid(bm25('docs', 'body', 'x'), bm25('docs', 'body', 'y'),"
                    + " fusion => 'sum')",
                "INVALID_ARGUMENT: hybrid: unknown fusion"),
            Map.entry("SELECT * FROM docs FOR VERSION AS OF 99", "UNKNOWN_VERSION: "),
            Map.entry(
                "SELECT nope FROM docs FOR VERSION AS OF 2",
                "UNKNOWN_COLUMN: unknown column: column=nope"),
            Map.entry(
                "SELECT * FROM nope FOR VERSION AS OF 2",
                "UNKNOWN_COLLECTION: unknown table: table=nope, "),
            Map.entry("SELECT * FROM docs FOR VERSION AS OF ?", "UNSUPPORTED: "),
            Map.entry("SELECT id / 0 FROM docs", "DIVISION_BY_ZERO: "),
            Map.entry("INSERT INTO docs (id) VALUES (1)", "DUPLICATE_KEY: "),
            Map.entry("INSERT INTO docs (title) VALUES ('x')", "NULL_NOT_ALLOWED: "),
            Map.entry("INSERT INTO docs (id) VALUES (NULL)", "NULL_NOT_ALLOWED: "),
            Map.entry(
                "INSERT INTO docs (id, embedding) VALUES (9, '[1]')",
                "INVALID_ARGUMENT: wrong dimension: "),
            Map.entry("CREATE TABLE bad (id INTEGER PRIMARY KEY)", "INVALID_SCHEMA: "),
            Map.entry("DROP TABLE nope", "UNKNOWN_COLLECTION: "))
        .forEach((statement, start) -> assertThat(sql.error(statement)).startsWith(start));
  }

  @Test
  void theSameColumnMayBeComparedWithManyValues() throws SQLException {
    String many =
        "SELECT id FROM docs WHERE id IN (1" + ", 2".repeat(50) + ", 4, 5, 6) ORDER BY id";
    assertThat(sql.plan(many)).startsWith("LoamScan(").contains("id IN (1, 2, 4, 5, 6)");
    assertThat(sql.rows("SELECT id FROM docs WHERE year_ NOT IN (1960, ?)", (Object) null))
        .isEmpty();
    assertThat(sql.rows("SELECT id FROM docs WHERE year_ IN (1960, ?)", (Object) null))
        .containsExactly("1");
    assertThat(sql.rows(many)).containsExactly("1", "2");
  }
}
