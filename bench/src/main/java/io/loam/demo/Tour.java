package io.loam.demo;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/** The demo's statements, each printed with its result and its time. */
final class Tour {
  private final Connection connection;
  private final Embedder embedder;
  private final SparseEncoder sparse;
  private final PrintStream out;
  private int failures;

  /** A value for a {@code ?}, and what to say it is. */
  private record Parameter(Object value, String meaning) {}

  Tour(Connection connection, Embedder embedder, SparseEncoder sparse, PrintStream out) {
    this.connection = connection;
    this.embedder = embedder;
    this.sparse = sparse;
    this.out = out;
  }

  /** Runs all; the result is how many statements did not give what they should. */
  int run() throws SQLException {
    scan();
    search();
    combine();
    deleteAndLookBack();
    return failures;
  }

  private void scan() throws SQLException {
    query(
        "What is there: GROUP BY over typed columns",
        """
        SELECT topic, count(*) AS n, sum(uses) AS used
        FROM synsets GROUP BY topic ORDER BY n DESC LIMIT 6""");
  }

  private void search() throws SQLException {
    query(
        "Text: BM25 over two columns, words in the lemmas count twice",
        """
        SELECT lemma, _score, definition
        FROM bm25('synsets', 'lemmas^2,definition', 'stringed musical instrument', k => 5)""");
    query(
        "Text: a phrase",
        """
        SELECT lemma, _score, definition
        FROM bm25('synsets', 'definition', '"salt water"', k => 5)""");
    query(
        "Vectors: nearest in meaning, no word in common needed",
        """
        SELECT lemma, _score, definition
        FROM vector_search('synsets', 'embedding', ?, k => 5)""",
        embedding("a small animal that people keep at home for company"));
    query(
        "Sparse vectors: words, with those of wider meanings at lower weights",
        """
        SELECT lemma, _score, definition
        FROM sparse_match('synsets', 'terms', ?, k => 5)""",
        terms("carnivorous animal"));
    query(
        "Hybrid: reciprocal rank fusion of text and vectors",
        """
        SELECT lemma, _score, _rank_1, _rank_2, definition
        FROM hybrid(bm25('synsets', 'lemmas,definition', 'money you owe to a bank'),
                    vector_search('synsets', 'embedding', ?), k => 5)""",
        embedding("money you owe to a bank"));
  }

  private void combine() throws SQLException {
    query(
        "A filter narrows the search itself, so that k rows come back",
        """
        SELECT lemma, topic, _score, definition
        FROM vector_search('synsets', 'embedding', ?, k => 5,
                           filter => 'topic = ''noun.food'' AND uses >= 2')""",
        embedding("something sweet after dinner"));
    query(
        "How it runs: the search and its filter are pushed down as one request",
        """
        EXPLAIN PLAN FOR
        SELECT lemma, _score
        FROM bm25('synsets', 'definition', 'sweet dessert', k => 5, filter => 'uses >= 2')""");
    query(
        "GROUP BY over a search",
        """
        SELECT topic, count(*) AS n, max(_score) AS best
        FROM bm25('synsets', 'definition', 'water', k => 200)
        GROUP BY topic ORDER BY n DESC, topic LIMIT 5""");
    query(
        "A join: what each of the found is a kind of",
        """
        SELECT s.lemma, p.lemma AS kind_of, s._score
        FROM vector_search('synsets', 'embedding', ?, k => 5) AS s
        JOIN synsets AS p ON p.id = s.parent
        ORDER BY s._score DESC""",
        embedding("a vehicle that flies"));
  }

  private void deleteAndLookBack() throws SQLException {
    String count = "SELECT count(*) AS n FROM synsets WHERE topic = 'noun.animal'";
    String version = "SELECT max(version) AS version FROM \"synsets$manifests\"";
    long before = query("Versions: every commit is one", version).number();
    long animals = query("Animals before a DELETE", count).number();
    long deleted =
        update("DELETE is one commit", "DELETE FROM synsets WHERE topic = 'noun.animal'");
    check(deleted == animals, "deleted=" + deleted + ", counted before=" + animals);
    long left = query("Animals after it", count).number();
    check(left == 0, "animals left=" + left);
    long then =
        query(
                "Time travel: the version before still has them",
                """
                SELECT count(*) AS n FROM synsets FOR VERSION AS OF %d
                WHERE topic = 'noun.animal'"""
                    .formatted(before))
            .number();
    check(then == animals, "animals in version " + before + "=" + then + ", then=" + animals);
    query(
        "and searches work on it as on any other",
        """
        SELECT lemma, topic, _score, definition
        FROM vector_search('synsets', 'embedding', ?, k => 3) FOR VERSION AS OF %d"""
            .formatted(before),
        embedding("a small animal that people keep at home for company"));
  }

  private Parameter embedding(String text) {
    return new Parameter(embedder.embed(text), "embedding of '" + text + "'");
  }

  private Parameter terms(String text) {
    return new Parameter(sparse.question(text), "weighted terms of '" + text + "'");
  }

  /** Runs a query twice, so that its time is told with and without what only a first run pays. */
  private ResultTable query(String title, String sql, Parameter... parameters) throws SQLException {
    announce(title, sql, parameters);
    long start = System.nanoTime();
    ResultTable result = read(sql, parameters);
    long first = System.nanoTime();
    read(sql, parameters);
    long second = System.nanoTime();
    result.print(out);
    out.printf(
        Locale.ROOT,
        "  %d rows, %.1f ms (again: %.1f ms)%n%n",
        result.rows().size(),
        (first - start) / 1e6,
        (second - first) / 1e6);
    check(!result.rows().isEmpty(), "no rows");
    return result;
  }

  private ResultTable read(String sql, Parameter... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i].value());
      }
      try (ResultSet results = statement.executeQuery()) {
        return ResultTable.read(results);
      }
    }
  }

  private long update(String title, String sql) throws SQLException {
    announce(title, sql);
    long start = System.nanoTime();
    long rows;
    try (Statement statement = connection.createStatement()) {
      rows = statement.executeUpdate(sql);
    }
    out.printf(Locale.ROOT, "  %d rows, %.1f ms%n%n", rows, (System.nanoTime() - start) / 1e6);
    return rows;
  }

  private void announce(String title, String sql, Parameter... parameters) {
    out.println("-- " + title);
    for (Parameter parameter : List.of(parameters)) {
      out.println("-- ? = " + parameter.meaning());
    }
    out.println(sql + ";");
  }

  private void check(boolean holds, String problem) {
    if (!holds) {
      failures++;
      out.println("  UNEXPECTED: " + problem + "\n");
    }
  }
}
