package io.loam.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the demo's table and fills it by JDBC batches. */
final class Loader {
  static final String CREATE_TABLE =
      """
      CREATE TABLE synsets (
        id BIGINT PRIMARY KEY,
        lemma VARCHAR,
        lemmas TEXT ANALYZER 'english',
        definition TEXT ANALYZER 'english',
        pos VARCHAR,
        topic VARCHAR,
        uses INTEGER,
        parent BIGINT,
        embedding VECTOR(384),
        terms SPARSEVECTOR
      ) WITH ('metric.embedding' = 'cosine')""";

  private static final String INSERT =
      """
      INSERT INTO synsets
        (id, lemma, lemmas, definition, pos, topic, uses, parent, embedding, terms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

  private static final int BATCH = 2_500;

  private final Connection connection;
  private final SynsetEmbeddings embeddings;
  private final SparseEncoder sparse;
  private final Map<Long, Integer> uses = WordNet.uses();

  Loader(Connection connection, SynsetEmbeddings embeddings, SparseEncoder sparse) {
    this.connection = connection;
    this.embeddings = embeddings;
    this.sparse = sparse;
  }

  /** Each batch is one commit. */
  void load(List<Synset> synsets, ProgressBar bar) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(CREATE_TABLE);
    }
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (int from = 0; from < synsets.size(); from += BATCH) {
        int to = Math.min(synsets.size(), from + BATCH);
        for (Synset synset : synsets.subList(from, to)) {
          bind(insert, synset);
          insert.addBatch();
        }
        insert.executeBatch();
        bar.show(to);
      }
    }
    bar.finish();
  }

  private void bind(PreparedStatement insert, Synset synset) throws SQLException {
    insert.setLong(1, synset.id());
    insert.setString(2, synset.lemmas().get(0));
    insert.setString(3, String.join(", ", synset.lemmas()));
    insert.setString(4, synset.gloss());
    insert.setString(5, synset.partOfSpeech());
    insert.setString(6, synset.topic());
    insert.setInt(7, uses.getOrDefault(synset.id(), 0));
    if (synset.hypernyms().isEmpty()) {
      insert.setNull(8, Types.BIGINT);
    } else {
      insert.setLong(8, synset.hypernyms().get(0));
    }
    Optional<float[]> embedding = embeddings.get(synset);
    if (embedding.isPresent()) {
      insert.setObject(9, embedding.get());
    } else {
      insert.setNull(9, Types.ARRAY);
    }
    insert.setString(10, sparse.synset(synset));
  }
}
