package io.loam.text;

import io.indextables.tantivy4java.core.DocAddress;
import io.indextables.tantivy4java.core.Index;
import io.indextables.tantivy4java.core.Schema;
import io.indextables.tantivy4java.core.Searcher;
import io.indextables.tantivy4java.query.Occur;
import io.indextables.tantivy4java.query.Query;
import io.indextables.tantivy4java.result.SearchResult;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An unpacked split, open for native search. Safe for use by several threads: a Tantivy searcher
 * serves one thread at a time, so each search borrows one. Opening costs about a millisecond.
 */
public final class SplitIndex implements AutoCloseable {
  private final Index index;
  private final Schema schema;
  private final int documentCount;
  private final Runnable onClose;
  private final ConcurrentLinkedQueue<Searcher> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /**
   * Documents by falling native score, equal scores by doc id.
   *
   * @param scores as Tantivy gives them, of f32 precision
   */
  record Candidates(int[] docs, double[] scores) {
    int size() {
      return docs.length;
    }

    double leastScore() {
      return scores[scores.length - 1];
    }
  }

  private SplitIndex(Index index, Schema schema, int documentCount, Runnable onClose) {
    this.index = index;
    this.schema = schema;
    this.documentCount = documentCount;
    this.onClose = onClose;
  }

  /**
   * Opens an unpacked split, or fails with {@link IllegalStateException} where it is not one.
   *
   * @param onClose runs once, when the split is closed
   */
  static SplitIndex open(Path folder, int documentCount, Runnable onClose) {
    NativeLibrary.load();
    Index index = openIndex(folder);
    boolean opened = false;
    Schema schema = index.getSchema();
    try {
      SplitIndex split = new SplitIndex(index, schema, documentCount, onClose);
      split.idle.add(split.checkedSearcher());
      opened = true;
      return split;
    } finally {
      if (!opened) {
        schema.close();
        index.close();
      }
    }
  }

  /** tantivy4java throws plain runtime exceptions. */
  private static Index openIndex(Path folder) {
    try {
      return Index.open(folder.toString());
    } catch (RuntimeException e) {
      throw new IllegalStateException("folder=" + folder, e);
    }
  }

  private Searcher checkedSearcher() {
    Searcher searcher;
    try {
      searcher = index.searcher();
    } catch (RuntimeException e) {
      throw new IllegalStateException("split has no searcher", e);
    }
    if (searcher.getNumSegments() != 1 || searcher.getNumDocs() != documentCount) {
      String found =
          "segments=" + searcher.getNumSegments() + ", documents=" + searcher.getNumDocs();
      searcher.close();
      throw new IllegalStateException(found);
    }
    return searcher;
  }

  /**
   * The best {@code limit} documents by native score, deleted ones included.
   *
   * @param query its boosts are the native ones; it has no {@link TextQuery.None} inside
   * @param limit brought into 1 to the number of documents: other values abort the JVM
   */
  Candidates search(TextQuery query, int limit) {
    Searcher searcher = borrow();
    try (Query nativeQuery = toNative(query);
        SearchResult result =
            searcher.search(nativeQuery, Math.max(1, Math.min(limit, documentCount)))) {
      List<SearchResult.Hit> hits = result.getHits();
      int[] docs = new int[hits.size()];
      double[] scores = new double[docs.length];
      for (int i = 0; i < docs.length; i++) {
        SearchResult.Hit hit = hits.get(i);
        try (DocAddress address = hit.getDocAddress()) {
          docs[i] = address.getDoc();
        }
        scores[i] = hit.getScore();
      }
      return new Candidates(docs, scores);
    } finally {
      giveBack(searcher);
    }
  }

  private Searcher borrow() {
    Searcher searcher = idle.poll();
    if (searcher != null) {
      return searcher;
    }
    synchronized (this) {
      if (closed) {
        throw new LoamException(
            ErrorCode.CLOSED, "split is closed: documents=" + documentCount + "; open it again");
      }
      return index.searcher();
    }
  }

  private void giveBack(Searcher searcher) {
    idle.add(searcher);
    if (closed) {
      closeIdle();
    }
  }

  private void closeIdle() {
    for (Searcher s = idle.poll(); s != null; s = idle.poll()) {
      s.close();
    }
  }

  private Query toNative(TextQuery query) {
    if (query instanceof TextQuery.Term term) {
      return boosted(
          Query.termQuery(
              schema, SplitWriter.fieldName(term.fieldNumber()), TokenEncoding.encode(term.term())),
          term.boost());
    }
    if (query instanceof TextQuery.Phrase phrase) {
      List<Object> terms = new ArrayList<>();
      phrase.terms().forEach(t -> terms.add(TokenEncoding.encode(t)));
      return boosted(
          Query.phraseQuery(schema, SplitWriter.fieldName(phrase.fieldNumber()), terms),
          phrase.boost());
    }
    if (query instanceof TextQuery.Bool bool) {
      List<Query.OccurQuery> clauses = new ArrayList<>();
      try {
        bool.must().forEach(q -> clauses.add(new Query.OccurQuery(Occur.MUST, toNative(q))));
        bool.should().forEach(q -> clauses.add(new Query.OccurQuery(Occur.SHOULD, toNative(q))));
        bool.mustNot().forEach(q -> clauses.add(new Query.OccurQuery(Occur.MUST_NOT, toNative(q))));
        return Query.booleanQuery(clauses);
      } finally {
        clauses.forEach(c -> c.getQuery().close());
      }
    }
    throw new IllegalArgumentException("query=" + query);
  }

  private static Query boosted(Query query, double boost) {
    try (query) {
      return Query.boostQuery(query, boost);
    }
  }

  /** Closes after the searches that run. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      schema.close();
      index.close();
    }
    closeIdle();
    onClose.run();
  }
}
