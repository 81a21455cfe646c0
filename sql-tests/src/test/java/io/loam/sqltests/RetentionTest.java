package io.loam.sqltests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tags, retention and garbage collection in SQL. */
class RetentionTest {
  @TempDir Path folder;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = Sql.connect(folder);
    Sql.run(
        connection,
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, body TEXT) WITH ('retention.minutes' = '0',"
            + " 'retention.versions' = '2')");
    for (int id = 1; id <= 5; id++) {
      Sql.run(connection, "INSERT INTO docs VALUES (" + id + ", 'a slender wing " + id + "')");
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private Object one(String sql) throws SQLException {
    return Sql.column(connection, sql).get(0);
  }

  private void assertFails(String sql, String sqlState, String... parts) {
    assertThatThrownBy(() -> Sql.run(connection, sql))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(sqlState))
        .hasMessageContainingAll(parts);
  }

  @Test
  void tagsAreReadWhereverVersionsAre() throws SQLException {
    Sql.run(connection, "CREATE TAG v1 ON docs FOR VERSION AS OF 3");
    Sql.run(connection, "CREATE TAG \"two words\" ON loam.docs FOR VERSION AS OF 'V1'");
    Sql.run(connection, "CREATE TAG newest ON docs");
    assertThat(one("SELECT count(*) FROM docs FOR VERSION AS OF 'v1'")).isEqualTo(2L);
    assertThat(one("SELECT count(*) FROM docs FOR VERSION AS OF 'two words' AS d")).isEqualTo(2L);
    assertThat(
            Sql.column(
                connection, "SELECT id FROM bm25('docs', 'body', 'wing') FOR VERSION AS OF 'v1'"))
        .containsExactly(1L, 2L);
    assertThat(Sql.rows(connection, "SELECT tag, version FROM \"docs$tags\""))
        .containsExactly(List.of("newest", 6L), List.of("two words", 3L), List.of("v1", 3L));
    assertThat(one("SELECT count(*) FROM \"docs$tags\" WHERE created_at > DATE '2020-01-01'"))
        .isEqualTo(3L);
    assertFails("CREATE TAG v1 ON docs", "42710", "tag exists: tag=v1, version=3");
    assertFails("CREATE OR REPLACE TAG v1 ON docs", "0A000", "DROP TAG");
    assertFails("CREATE TAG v2 ON docs FOR VERSION AS OF 7", "22023", "version=7, newest=6");
    assertFails("CREATE TAG v2 ON dogs", "42P01", "docs");
    assertFails("DROP TAG v ON docs", "22023", "tag=v; did you mean 'v1'?");
    Sql.run(connection, "DROP TAG IF EXISTS v ON docs");
    Sql.run(connection, "DROP TAG V1 ON docs");
    assertFails("SELECT * FROM docs FOR VERSION AS OF 'v1'", "22023", "no such tag", "tag=v1");
  }

  @Test
  void tagIsStillAColumnsName() throws SQLException {
    Sql.run(connection, "CREATE TABLE tag (id BIGINT PRIMARY KEY, tag VARCHAR)");
    Sql.run(connection, "INSERT INTO tag VALUES (1, 'x')");
    assertThat(one("SELECT tag FROM tag")).isEqualTo("x");
  }

  @Test
  void gcTellsAndRemovesTheSame() throws SQLException {
    Sql.run(connection, "CREATE TAG v1 ON docs FOR VERSION AS OF 3");
    String dryRun = "CALL loam.gc('docs', grace_minutes => 0, dry_run => true)";
    List<List<Object>> dry = Sql.rows(connection, dryRun);
    assertThat(dry).isNotEmpty();
    assertThat(dry).allSatisfy(row -> assertThat((String) row.get(0)).startsWith("collections/"));
    assertThat(dry).allSatisfy(row -> assertThat((Long) row.get(1)).isPositive());
    assertThat(Sql.column(connection, "SELECT version FROM \"docs$manifests\"")).hasSize(6);
    assertThat(Sql.rows(connection, "call LOAM.GC(collection => 'loam.docs', Grace_Minutes => 0)"))
        .isEqualTo(dry);
    assertThat(Sql.rows(connection, dryRun)).isEmpty();
    assertThat(Sql.column(connection, "SELECT version FROM \"docs$manifests\""))
        .containsExactly(6L, 5L, 3L);
    assertThat(one("SELECT count(*) FROM docs FOR VERSION AS OF 'v1'")).isEqualTo(2L);
    assertFails("SELECT * FROM docs FOR VERSION AS OF 2", "22023", "version=2", "oldestRetained=5");
    assertFails(
        "SELECT * FROM docs FOR SYSTEM_TIME AS OF TIMESTAMP '2020-01-01 00:00:00'",
        "22023",
        "time=2020-01-01T00:00:00Z",
        "oldestRetained=5");
  }

  @Test
  void gcIsRunByEachExecutionOfAPreparedCall() throws SQLException {
    try (PreparedStatement call = connection.prepareStatement("CALL loam.gc('docs', 0)")) {
      try (ResultSet rows = call.executeQuery()) {
        assertThat(Sql.rows(rows)).isNotEmpty();
      }
      try (ResultSet rows = call.executeQuery()) {
        assertThat(rows.next()).isFalse();
        assertThat(rows.getMetaData().getColumnName(3)).isEqualTo("reason");
      }
    }
  }

  @Test
  void dropTableIsCollectedUnderItsName() throws SQLException {
    Sql.run(connection, "DROP TABLE docs");
    assertThat(Sql.rows(connection, "CALL loam.gc('docs')")).isEmpty();
    assertThat(Sql.rows(connection, "CALL loam.gc('docs', 0)"))
        .isNotEmpty()
        .allSatisfy(row -> assertThat(row.get(2)).isEqualTo("table was dropped"));
    assertFails("CALL loam.gc('docs')", "42P01", "docs");
  }

  @Test
  void badCallsAreRefused() {
    assertFails("CALL loam.gz('docs')", "42883", "loam.gz", "loam.gc");
    assertFails("CALL gc()", "22023", "argument missing: argument=collection");
    assertFails("CALL loam.gc(7)", "22023", "argument=collection, value=7, wanted=text");
    assertFails("CALL loam.gc('docs', -1)", "22023", "grace_minutes");
    assertFails("CALL loam.gc('docs', 1.5)", "22023", "grace_minutes=1.5");
    assertFails("CALL loam.gc('docs', dry => true)", "22023", "unknown argument: argument=dry");
    assertFails("CALL loam.gc('docs', collection => 'docs')", "22023", "given twice");
    assertFails("CALL loam.gc('docs', dry_run => 1)", "22023", "wanted=boolean");
    assertFails("CALL loam.gc(?)", "22023", "prepareStatement");
    assertFails("CALL loam.gc('do' || 'cs')", "22023", "not a literal");
    assertFails("CALL loam.gc('docs'", "42601", "syntax error");
  }

  @Test
  void badRetentionsAreRefused() {
    String create = "CREATE TABLE t (id BIGINT PRIMARY KEY) WITH (%s)";
    assertFails(create.formatted("'retention.versions' = '0'"), "42P16", "retention.versions=0");
    assertFails(create.formatted("'retention.minutes' = '-1'"), "42P16", "retention.minutes=-1");
    assertFails(create.formatted("'retention.minutes' = 'day'"), "42P16", "whole number");
    assertFails(create.formatted("'retention.hours' = '1'"), "42P16", "retention.minutes");
  }
}
