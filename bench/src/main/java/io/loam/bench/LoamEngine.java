package io.loam.bench;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** Loam over JDBC. */
final class LoamEngine extends JdbcEngine {
  static final String NAME = "Loam";

  private static final String CREATE_TABLE =
      """
      CREATE TABLE docs (
        id BIGINT PRIMARY KEY,
        topic VARCHAR,
        uses INTEGER,
        body TEXT ANALYZER 'english'
      )""";

  LoamEngine(Path folder) throws SQLException {
    super(url(folder), List.of(CREATE_TABLE));
  }

  static String url(Path folder) {
    return "jdbc:loam:" + folder.resolve("loam").toAbsolutePath();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  String searchSql(Mode mode) {
    String reading =
        mode == Mode.PHRASE
            ? "syntax => 'phrase'"
            : "syntax => 'terms', operator => '%s'".formatted(mode.name().toLowerCase(Locale.ROOT));
    return "SELECT id, topic, _score FROM bm25('docs', 'body', ?, k => %d, %s)"
        .formatted(TOP, reading);
  }

  @Override
  String searchText(Mode mode, List<String> words) {
    return String.join(" ", words);
  }

  @Override
  double score(double sqlScore) {
    return sqlScore;
  }
}
