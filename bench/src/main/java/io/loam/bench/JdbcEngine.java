package io.loam.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An engine behind JDBC: its SQL comes from the subclass, prepared once and reused. */
abstract class JdbcEngine implements Engine {
  private static final int BATCH = 10_000;

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement topic;
  private final PreparedStatement group;
  private final Map<Mode, PreparedStatement> searches = new EnumMap<>(Mode.class);

  JdbcEngine(String url, List<String> setup) throws SQLException {
    connection = DriverManager.getConnection(url);
    try (Statement statement = connection.createStatement()) {
      for (String sql : setup) {
        statement.execute(sql);
      }
    }
    insert =
        connection.prepareStatement("INSERT INTO docs (id, topic, uses, body) VALUES (?, ?, ?, ?)");
    topic = connection.prepareStatement("SELECT topic FROM docs WHERE id = ?");
    group = connection.prepareStatement("SELECT topic, count(*) FROM docs GROUP BY topic");
    for (Mode mode : Mode.values()) {
      searches.put(mode, connection.prepareStatement(searchSql(mode)));
    }
  }

  /** Finds id, topic and score of the best documents for a {@code ?}. */
  abstract String searchSql(Mode mode);

  /** The value of that {@code ?}. */
  abstract String searchText(Mode mode, List<String> words);

  /** The score where larger is better, from the one that SQL gave. */
  abstract double score(double sqlScore);

  final Connection connection() {
    return connection;
  }

  @Override
  public final void load(List<Doc> docs) throws SQLException {
    boolean transactional =
        connection.getMetaData().supportsTransactions(); // else a batch is one commit already
    connection.setAutoCommit(!transactional);
    for (int from = 0; from < docs.size(); from += BATCH) {
      for (Doc doc : docs.subList(from, Math.min(docs.size(), from + BATCH))) {
        bind(doc);
        insert.addBatch();
      }
      insert.executeBatch();
      if (transactional) {
        connection.commit();
      }
    }
    connection.setAutoCommit(true);
  }

  @Override
  public final void add(Doc doc) throws SQLException {
    bind(doc);
    insert.executeUpdate();
  }

  private void bind(Doc doc) throws SQLException {
    insert.setLong(1, doc.id());
    insert.setString(2, doc.topic());
    insert.setInt(3, doc.uses());
    insert.setString(4, doc.body());
  }

  @Override
  public final List<Hit> search(Mode mode, List<String> words) throws SQLException {
    PreparedStatement search = searches.get(mode);
    search.setString(1, searchText(mode, words));
    List<Hit> hits = new ArrayList<>(TOP);
    try (ResultSet rows = search.executeQuery()) {
      while (rows.next()) {
        hits.add(new Hit(rows.getLong(1), rows.getString(2), score(rows.getDouble(3))));
      }
    }
    return hits;
  }

  @Override
  public final String topic(long id) throws SQLException {
    topic.setLong(1, id);
    try (ResultSet rows = topic.executeQuery()) {
      if (!rows.next()) {
        throw new IllegalStateException("document is not there: id=" + id);
      }
      return rows.getString(1);
    }
  }

  @Override
  public final Map<String, Long> countByTopic() throws SQLException {
    Map<String, Long> counts = new HashMap<>();
    try (ResultSet rows = group.executeQuery()) {
      while (rows.next()) {
        counts.put(rows.getString(1), rows.getLong(2));
      }
    }
    return counts;
  }

  @Override
  public void close() throws SQLException {
    insert.close();
    topic.close();
    group.close();
    for (PreparedStatement search : searches.values()) {
      search.close();
    }
    connection.close();
  }
}
