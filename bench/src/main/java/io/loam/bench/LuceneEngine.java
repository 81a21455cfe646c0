package io.loam.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.QueryBuilder;
import org.jspecify.annotations.Nullable;

/** Lucene in the process: one writer, doc values for columns, a searcher manager. */
final class LuceneEngine implements Engine {
  static final String NAME = "Lucene";

  private static final double BUFFER_MEGABYTES = 256;

  private final EnglishAnalyzer analyzer = new EnglishAnalyzer();
  private final QueryBuilder queries = new QueryBuilder(analyzer);
  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;

  LuceneEngine(Path folder) throws IOException {
    directory = FSDirectory.open(folder.resolve("lucene"));
    writer =
        new IndexWriter(
            directory, new IndexWriterConfig(analyzer).setRAMBufferSizeMB(BUFFER_MEGABYTES));
    searchers = new SearcherManager(writer, null);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void load(List<Doc> docs) throws IOException {
    for (Doc doc : docs) {
      writer.addDocument(document(doc));
    }
    writer.commit();
    searchers.maybeRefreshBlocking();
  }

  @Override
  public void add(Doc doc) throws IOException {
    writer.addDocument(document(doc));
    writer.commit();
    searchers.maybeRefreshBlocking();
  }

  private static Document document(Doc doc) {
    Document document = new Document();
    document.add(new StringField("key", Long.toString(doc.id()), Field.Store.NO));
    document.add(new NumericDocValuesField("id", doc.id()));
    document.add(new StringField("topic", doc.topic(), Field.Store.NO));
    document.add(new SortedDocValuesField("topic", new BytesRef(doc.topic())));
    document.add(new NumericDocValuesField("uses", doc.uses()));
    document.add(new TextField("body", doc.body(), Field.Store.NO));
    document.add(new StoredField("source", doc.body()));
    return document;
  }

  /** Removes documents; that is durable and can be seen when this returns. */
  void delete(List<Long> ids) throws IOException {
    writer.deleteDocuments(
        ids.stream().map(id -> new Term("key", Long.toString(id))).toArray(Term[]::new));
    writer.commit();
    searchers.maybeRefreshBlocking();
  }

  @Override
  public List<Hit> search(Mode mode, List<String> words) throws IOException {
    return search(mode, words, TOP, null);
  }

  /**
   * The best by BM25, best first.
   *
   * @param topic that of all documents that are searched; null for any
   */
  List<Hit> search(Mode mode, List<String> words, int top, @Nullable String topic)
      throws IOException {
    Query query = query(mode, String.join(" ", words));
    if (topic != null) {
      query =
          new BooleanQuery.Builder()
              .add(query, BooleanClause.Occur.MUST)
              .add(new TermQuery(new Term("topic", topic)), BooleanClause.Occur.FILTER)
              .build();
    }
    IndexSearcher searcher = searchers.acquire();
    try {
      List<Hit> hits = new ArrayList<>(top);
      List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
      for (ScoreDoc scored : searcher.search(query, top).scoreDocs) {
        LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(scored.doc, leaves));
        int doc = scored.doc - leaf.docBase;
        NumericDocValues ids = DocValues.getNumeric(leaf.reader(), "id");
        ids.advanceExact(doc);
        hits.add(new Hit(ids.longValue(), topic(leaf, doc), scored.score));
      }
      return hits;
    } finally {
      searchers.release(searcher);
    }
  }

  private Query query(Mode mode, String text) {
    @Nullable Query query =
        switch (mode) {
          case OR -> queries.createBooleanQuery("body", text, BooleanClause.Occur.SHOULD);
          case AND -> queries.createBooleanQuery("body", text, BooleanClause.Occur.MUST);
          case PHRASE -> queries.createPhraseQuery("body", text);
        };
    return query == null ? new MatchNoDocsQuery("no words") : query;
  }

  private static String topic(LeafReaderContext leaf, int doc) throws IOException {
    SortedDocValues topics = DocValues.getSorted(leaf.reader(), "topic");
    topics.advanceExact(doc);
    return topics.lookupOrd(topics.ordValue()).utf8ToString();
  }

  @Override
  public String topic(long id) throws IOException {
    IndexSearcher searcher = searchers.acquire();
    try {
      ScoreDoc[] found =
          searcher.search(new TermQuery(new Term("key", Long.toString(id))), 1).scoreDocs;
      List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(found[0].doc, leaves));
      return topic(leaf, found[0].doc - leaf.docBase);
    } finally {
      searchers.release(searcher);
    }
  }

  @Override
  public Map<String, Long> countByTopic() throws IOException {
    IndexSearcher searcher = searchers.acquire();
    try {
      Map<String, Long> counts = new HashMap<>();
      for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
        SortedDocValues topics = DocValues.getSorted(leaf.reader(), "topic");
        long[] byOrdinal = new long[topics.getValueCount()];
        while (topics.nextDoc() != SortedDocValues.NO_MORE_DOCS) {
          byOrdinal[topics.ordValue()]++;
        }
        for (int ordinal = 0; ordinal < byOrdinal.length; ordinal++) {
          counts.merge(topics.lookupOrd(ordinal).utf8ToString(), byOrdinal[ordinal], Long::sum);
        }
      }
      return counts;
    } finally {
      searchers.release(searcher);
    }
  }

  @Override
  public void close() throws IOException {
    searchers.close();
    writer.close();
    directory.close();
    analyzer.close();
  }
}
