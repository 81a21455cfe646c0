package io.loam.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A search engine under measurement, with one collection of {@link Doc}. */
interface Engine extends AutoCloseable {
  /** Rows of a search. */
  int TOP = 10;

  String name();

  /** Adds documents; they are durable when this returns. */
  void load(List<Doc> docs) throws IOException, SQLException;

  /** Adds one document; it is durable and can be searched when this returns. */
  void add(Doc doc) throws IOException, SQLException;

  /** The {@link #TOP} best by BM25, best first; reads id, topic and score of each. */
  List<Hit> search(Mode mode, List<String> words) throws IOException, SQLException;

  /** The topic of a document that is there. */
  String topic(long id) throws IOException, SQLException;

  /** How many documents each topic has. */
  Map<String, Long> countByTopic() throws IOException, SQLException;

  @Override
  void close() throws IOException, SQLException;

  /** A found document. */
  record Hit(long id, String topic, double score) {}
}
