package io.loam.bench;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * SQLite over JDBC: a table with an FTS5 index kept by a trigger, as SQLite's documentation has it,
 * a write-ahead log that is synced at each commit, and a page cache that holds all.
 */
final class SqliteEngine extends JdbcEngine {
  static final String NAME = "SQLite";

  private static final List<String> SETUP =
      List.of(
          "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = FULL",
          "PRAGMA cache_size = -262144",
          "CREATE TABLE docs (id INTEGER PRIMARY KEY, topic TEXT, uses INTEGER, body TEXT)",
          "CREATE INDEX docs_topic ON docs (topic)",
          "CREATE VIRTUAL TABLE words USING fts5("
              + "body, content='docs', content_rowid='id', tokenize='porter unicode61')",
          "CREATE TRIGGER docs_insert AFTER INSERT ON docs BEGIN"
              + " INSERT INTO words (rowid, body) VALUES (new.id, new.body); END");

  SqliteEngine(Path folder) throws SQLException {
    super(url(folder), SETUP);
  }

  static String url(Path folder) {
    return "jdbc:sqlite:" + folder.resolve("sqlite.db").toAbsolutePath();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  String searchSql(Mode mode) {
    return """
        SELECT d.id, d.topic, w.rank
        FROM (SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT %d) AS w
        JOIN docs AS d ON d.id = w.rowid
        ORDER BY w.rank"""
        .formatted(TOP);
  }

  @Override
  String searchText(Mode mode, List<String> words) {
    String quoted = words.stream().map(w -> '"' + w + '"').collect(Collectors.joining("\n"));
    return switch (mode) {
      case OR -> quoted.replace("\n", " OR ");
      case AND -> quoted.replace("\n", " AND ");
      case PHRASE -> '"' + String.join(" ", words) + '"';
    };
  }

  @Override
  double score(double sqlScore) {
    return -sqlScore;
  }
}
