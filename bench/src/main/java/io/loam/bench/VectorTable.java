package io.loam.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A table of vectors, and ways to search it that take turns, so that what else the machine does
 * meets all of them. A way is a version of the table, with an index or without.
 */
final class VectorTable {
  private static final int BATCH = 20_000;
  private static final int TOP = 10;

  private final Connection connection;
  private final ClusteredVectors vectors;
  private final List<Way> ways = new ArrayList<>();

  VectorTable(Connection connection, ClusteredVectors vectors) {
    this.connection = connection;
    this.vectors = vectors;
  }

  /** A way to search, and what came of it. */
  record Way(String name, String sql, Timings times, List<Set<Long>> found) {}

  void create(int dimension) throws SQLException {
    execute(
        "CREATE TABLE docs (id BIGINT PRIMARY KEY, v VECTOR(%d)) WITH ('metric.v' = 'l2')"
            .formatted(dimension));
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  void insert(long from, long to) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO docs (id, v) VALUES (?, ?)")) {
      for (long id = from; id < to; id++) {
        insert.setLong(1, id);
        insert.setObject(2, vectors.vector(id));
        insert.addBatch();
        if ((id + 1 - from) % BATCH == 0 || id + 1 == to) {
          insert.executeBatch();
        }
      }
    }
  }

  /**
   * Adds a way to search the table as it is now.
   *
   * @param options of {@code vector_search}, each after a comma
   */
  Way way(String name, String options) throws SQLException {
    long version = number("SELECT max(version) FROM \"docs$manifests\"");
    String sql =
        "SELECT id FROM vector_search('docs', 'v', ?, k => %d%s) FOR VERSION AS OF %d"
            .formatted(TOP, options, version);
    Way way = new Way(name, sql, new Timings(), new ArrayList<>());
    ways.add(way);
    return way;
  }

  /** Asks all ways so many questions in turns, and forgets the ways; half as many before. */
  void race(int questions) throws SQLException {
    List<PreparedStatement> searches = new ArrayList<>();
    try {
      for (Way way : ways) {
        searches.add(connection.prepareStatement(way.sql));
      }
      for (int i = -questions / 2; i < questions; i++) {
        float[] question = vectors.vector(-1 - Math.floorMod(i, questions));
        List<Integer> order = new ArrayList<>();
        for (int way = 0; way < ways.size(); way++) {
          order.add(way);
        }
        Collections.rotate(order, i);
        for (int way : order) {
          ask(ways.get(way), searches.get(way), question, i >= 0);
        }
      }
    } finally {
      for (PreparedStatement search : searches) {
        search.close();
      }
      ways.clear();
    }
  }

  private static void ask(Way way, PreparedStatement search, float[] question, boolean counts)
      throws SQLException {
    search.setObject(1, question);
    long start = System.nanoTime();
    Set<Long> ids = new HashSet<>();
    try (ResultSet hits = search.executeQuery()) {
      while (hits.next()) {
        ids.add(hits.getLong(1));
      }
    }
    if (counts) {
      way.times.add(System.nanoTime() - start);
      way.found.add(ids);
    }
  }

  /** The part of what an exact way found that another one found, too. */
  static double recall(Way way, Way exact) {
    int hits = 0;
    int wanted = 0;
    for (int i = 0; i < way.found.size(); i++) {
      Set<Long> both = new HashSet<>(exact.found.get(i));
      wanted += both.size();
      both.retainAll(way.found.get(i));
      hits += both.size();
    }
    return hits / (double) wanted;
  }
}
