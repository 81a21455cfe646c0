package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.schema.TextScoring;
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
   * @param scanDocument scoring a document from its tokens
   * @param scanToken each of its tokens
   */
  record Costs(double posting, double scanDocument, double scanToken) {
    static final Costs MEASURED = new Costs(6, 20, 2);
  }

  /**
   * The best {@code k} documents.
   *
   * @param scoring of fields by number
   * @param allowed by leaf, the documents that may match, all of them live
   * @param k at least 1
   */
  public static TopHits search(
      TextQuery query,
      IntFunction<TextScoring> scoring,
      List<? extends TextLeaf> leaves,
      List<DocSet> allowed,
      int k,
      KeyOrder keys,
      TextSearchStats stats) {
    return search(query, scoring, leaves, allowed, k, keys, stats, Costs.MEASURED);
  }

  static TopHits search(
      TextQuery query,
      IntFunction<TextScoring> scoring,
      List<? extends TextLeaf> leaves,
      List<DocSet> allowed,
      int k,
      KeyOrder keys,
      TextSearchStats stats,
      Costs costs) {
    TopHits top = new TopHits(k, keys);
    CompiledQuery compiled = new CompiledQuery(query, leaves, scoring);
    // The leaf with most documents first: its k-th score lets others stop early.
    IntStream.range(0, leaves.size())
        .boxed()
        .sorted(Comparator.comparingInt(leaf -> -allowed.get(leaf).cardinality()))
        .forEach(
            leaf ->
                new LeafSearch(
                        leaf,
                        new LeafQuery(compiled, leaves.get(leaf)),
                        allowed.get(leaf),
                        top,
                        stats,
                        costs)
                    .run());
    return top;
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
    private final TextSearchStats stats;
    private final Costs costs;
    private final LeafScorer scorer;
    private long scored;

    LeafSearch(
        int ordinal,
        LeafQuery query,
        DocSet allowed,
        TopHits top,
        TextSearchStats stats,
        Costs costs) {
      this.ordinal = ordinal;
      this.query = query;
      this.allowed = allowed;
      this.top = top;
      this.stats = stats;
      this.costs = costs;
      this.scorer = new LeafScorer(query);
    }

    void run() {
      if (allowed.cardinality() == 0
          || query.mostMatches(query.query.root) == 0
          || query.greatestScore(query.query.root) < top.floor()) {
        stats.addSkippedLeaf();
      } else if (isScanCheaper()) {
        stats.addScannedLeaf();
        allowed.forEach(this::score);
      } else {
        stats.addSearchedLeaf();
        PostingSearch.run(query, allowed, top::floor, this::score);
      }
      stats.addScored(scored);
    }

    private boolean isScanCheaper() {
      double scan =
          allowed.cardinality()
              * (costs.scanDocument() + costs.scanToken() * query.tokensPerDocument());
      return scan < costs.posting() * query.mostMatches(query.query.root);
    }

    private void score(int doc) {
      scored++;
      double score = scorer.score(doc);
      if (score != LeafScorer.NO_MATCH) {
        top.offer(ordinal, doc, score);
      }
    }
  }

  private TextSearch() {}
}
