package io.loam.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.jspecify.annotations.Nullable;

/** Lucene's graph of vectors, with its defaults; rows have an id and a number to filter by. */
final class HnswIndex implements AutoCloseable {
  static final String NAME = "Lucene HNSW";

  private static final double BUFFER_MEGABYTES = 1_024;

  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;

  HnswIndex(Path folder) throws IOException {
    directory = FSDirectory.open(folder.resolve("hnsw"));
    writer =
        new IndexWriter(directory, new IndexWriterConfig().setRAMBufferSizeMB(BUFFER_MEGABYTES));
    searchers = new SearcherManager(writer, null);
  }

  void add(long id, int part, float[] vector) throws IOException {
    Document document = new Document();
    document.add(new NumericDocValuesField("id", id));
    document.add(new IntField("part", part, Field.Store.NO));
    document.add(
        new KnnFloatVectorField("embedding", vector, VectorSimilarityFunction.DOT_PRODUCT));
    writer.addDocument(document);
  }

  /** Makes what was added durable and visible. */
  void commit() throws IOException {
    writer.commit();
    searchers.maybeRefreshBlocking();
  }

  /**
   * The ids of the best {@code k} of {@code candidates} that the graph gives.
   *
   * @param below only rows whose number is less; null for all
   */
  long[] nearest(float[] query, int k, int candidates, @Nullable Integer below) throws IOException {
    Query filter =
        below == null ? null : IntField.newRangeQuery("part", Integer.MIN_VALUE, below - 1);
    IndexSearcher searcher = searchers.acquire();
    try {
      List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
      List<Long> ids = new ArrayList<>(k);
      Query knn = new KnnFloatVectorQuery("embedding", query, candidates, filter);
      for (ScoreDoc scored : searcher.search(knn, k).scoreDocs) {
        LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(scored.doc, leaves));
        NumericDocValues values = DocValues.getNumeric(leaf.reader(), "id");
        values.advanceExact(scored.doc - leaf.docBase);
        ids.add(values.longValue());
      }
      return ids.stream().mapToLong(i -> i).toArray();
    } finally {
      searchers.release(searcher);
    }
  }

  @Override
  public void close() throws IOException {
    searchers.close();
    writer.close();
    directory.close();
  }
}
