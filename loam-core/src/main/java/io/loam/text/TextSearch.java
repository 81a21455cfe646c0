package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.schema.TextScoring;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Exact BM25 search with the statistics of all live documents.
 *
 * <p>Postings find the documents of a leaf whose score may be among the k best, passing over blocks
 * whose bounds say that they hold none; these documents are scored exactly from their tokens. Where
 * few documents are allowed, all of them are scored instead. Either way the result is the same.
 */
public final class TextSearch {

  /**
   * What steps cost in nanoseconds, by which a leaf's strategy is chosen; no result depends on it.
   *
   * @param posting looking at a document that may match
   * @param scanDocument scoring a document from its tokens, which lie beside those of the one
   *     before
   * @param scanToken each of its tokens
   * @param scattered what it costs more where few documents of a leaf are scored, whose tokens have
   *     to come from memory
   */
  record Costs(double posting, double scanDocument, double scanToken, double scattered) {
    static final Costs MEASURED = new Costs(6, 20, 2, 250);

    /** Documents of which one in so many is scored lie too far from each other. */
    private static final int FAR = 4;

    double scan(int documents, int ofDocuments, double tokensPerDocument) {
      double all = documents * (scanDocument + scanToken * tokensPerDocument);
      return documents < ofDocuments / FAR ? all + documents * scattered : all;
    }
  }

  private final List<LeafQuery> queries = new ArrayList<>();
  private final int k;
  private final KeyOrder keys;
  private final Costs costs;
  private final SharedFloor floor = new SharedFloor();

  /**
   * A search for the best {@code k} documents.
   *
   * @param scoring of fields by number
   * @param k at least 1
   */
  public TextSearch(
      TextQuery query,
      IntFunction<TextScoring> scoring,
      List<? extends TextLeaf> leaves,
      int k,
      KeyOrder keys) {
    this(query, scoring, leaves, k, keys, Costs.MEASURED);
  }

  TextSearch(
      TextQuery query,
      IntFunction<TextScoring> scoring,
      List<? extends TextLeaf> leaves,
      int k,
      KeyOrder keys,
      Costs costs) {
    CompiledQuery compiled = new CompiledQuery(query, leaves, scoring);
    leaves.forEach(leaf -> queries.add(new LeafQuery(compiled, leaf)));
    this.k = k;
    this.keys = keys;
    this.costs = costs;
  }

  /** No more documents have to be looked at. */
  public long mostDocuments(List<DocSet> allowed) {
    long most = 0;
    for (int leaf = 0; leaf < queries.size(); leaf++) {
      LeafQuery query = queries.get(leaf);
      most += Math.min(query.mostMatches(query.query.root), allowed.get(leaf).cardinality());
    }
    return most;
  }

  /**
   * The best documents of some. Several threads may search parts of all documents side by side; the
   * best of all parts together are the best of all.
   *
   * @param allowed by leaf, the documents that may match, all of them live
   */
  public TopHits run(List<DocSet> allowed, TextSearchStats stats) {
    TopHits top = new TopHits(k, keys);
    // The leaf with most documents first: its k-th score lets others stop early.
    IntStream.range(0, queries.size())
        .boxed()
        .sorted(Comparator.comparingInt(leaf -> -allowed.get(leaf).cardinality()))
        .forEach(
            leaf ->
                new LeafSearch(leaf, queries.get(leaf), allowed.get(leaf), top, floor, stats, costs)
                    .run());
    return top;
  }

  /** The greatest k-th score of any part; no document with a lower one is among the best. */
  private static final class SharedFloor {
    private volatile double score = Double.NEGATIVE_INFINITY;

    double score() {
      return score;
    }

    synchronized void raise(double to) {
      score = Math.max(score, to);
    }
  }

  /** All documents of a leaf that match, deleted ones included. */
  public static DocSet matches(TextQuery query, TextLeaf leaf) {
    return new PostingMatches(
            new LeafQuery(
                new CompiledQuery(query, List.of(leaf), field -> TextScoring.DEFAULT), leaf))
        .all();
  }

  /** The search of one leaf. */
  private static final class LeafSearch {
    private final int ordinal;
    private final LeafQuery query;
    private final DocSet allowed;
    private final TopHits top;
    private final SharedFloor floor;
    private final TextSearchStats stats;
    private final Costs costs;
    private final LeafScorer scorer;
    private long scored;

    LeafSearch(
        int ordinal,
        LeafQuery query,
        DocSet allowed,
        TopHits top,
        SharedFloor floor,
        TextSearchStats stats,
        Costs costs) {
      this.ordinal = ordinal;
      this.query = query;
      this.allowed = allowed;
      this.top = top;
      this.floor = floor;
      this.stats = stats;
      this.costs = costs;
      this.scorer = new LeafScorer(query);
    }

    void run() {
      if (allowed.cardinality() == 0
          || query.mostMatches(query.query.root) == 0
          || !PostingSearch.canReach(floor.score(), query.greatestScore(query.query.root))) {
        stats.addSkippedLeaf(ordinal);
      } else if (isScanCheaper()) {
        stats.addScannedLeaf(ordinal);
        allowed.forEach(this::score);
      } else {
        stats.addSearchedLeaf(ordinal);
        PostingSearch.run(query, allowed, floor::score, this::score);
      }
      stats.addScored(scored);
    }

    private boolean isScanCheaper() {
      double scan = costs.scan(allowed.cardinality(), allowed.size(), query.tokensPerDocument());
      return scan < costs.posting() * query.mostMatches(query.query.root);
    }

    private void score(int doc) {
      scored++;
      double score = scorer.score(doc);
      if (score != LeafScorer.NO_MATCH) {
        top.offer(ordinal, doc, score);
        if (top.floor() > floor.score()) {
          floor.raise(top.floor());
        }
      }
    }
  }
}
