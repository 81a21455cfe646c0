package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.text.SplitIndex.Candidates;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.roaringbitmap.RoaringBitmap;

/**
 * Exact BM25 search with the statistics of all live documents.
 *
 * <p>A leaf with a native index is asked for its best documents under its own statistics, with
 * boosts that put the global idf in place of its own; they are scored exactly from their tokens,
 * and more are asked for until what native scores are left cannot reach the k-th best exact score.
 * Where that would cost more than scoring all allowed documents, and in the tail, these are scored
 * directly. Either way the result is the same.
 */
public final class TextSearch {

  /**
   * What steps cost in nanoseconds, by which a leaf's strategy is chosen; no result depends on it.
   *
   * @param nativeQuery a native query
   * @param nativeHit each hit that it hands over
   * @param scanDocument scoring a document from its tokens
   * @param scanToken each of its tokens
   */
  record Costs(double nativeQuery, double nativeHit, double scanDocument, double scanToken) {
    static final Costs MEASURED = new Costs(100_000, 8_000, 20, 2);
  }

  /**
   * The best {@code k} documents.
   *
   * @param allowed by leaf, the documents that may match, all of them live
   * @param k at least 1
   */
  public static TopHits search(
      TextQuery query,
      List<? extends TextLeaf> leaves,
      List<DocSet> allowed,
      int k,
      KeyOrder keys,
      TextSearchStats stats) {
    return search(query, leaves, allowed, k, keys, stats, Costs.MEASURED);
  }

  static TopHits search(
      TextQuery query,
      List<? extends TextLeaf> leaves,
      List<DocSet> allowed,
      int k,
      KeyOrder keys,
      TextSearchStats stats,
      Costs costs) {
    TopHits top = new TopHits(k, keys);
    CompiledQuery compiled = new CompiledQuery(query, leaves, Bm25.DEFAULT);
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
                    .run(leaves.get(leaf).index(), k));
    return top;
  }

  /** All documents of a leaf that match, deleted ones included. */
  public static DocSet matches(TextQuery query, TextLeaf leaf) {
    LeafQuery leafQuery =
        new LeafQuery(new CompiledQuery(query, List.of(leaf), Bm25.DEFAULT), leaf);
    long[] words = new long[DocSet.wordCount(leaf.documentCount())];
    LeafScorer scorer = new LeafScorer(leafQuery);
    LeafSearch.candidates(leafQuery)
        .forEach(
            doc -> {
              if (scorer.score(doc) != LeafScorer.NO_MATCH) {
                words[doc >>> 6] |= 1L << doc;
              }
            });
    return DocSet.ofWords(words, leaf.documentCount());
  }

  /** The search of one leaf. */
  private static final class LeafSearch {
    /** Asked for beyond k, since ties with the k-th must be seen. */
    private static final int SLACK = 6;

    private static final int WIDENING = 4;

    private final int ordinal;
    private final LeafQuery query;
    private final DocSet allowed;
    private final TopHits top;
    private final TextSearchStats stats;
    private final Costs costs;
    private final LeafScorer scorer;
    private final RoaringBitmap seen = new RoaringBitmap();

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

    void run(Optional<SplitIndex> index, int k) {
      if (allowed.cardinality() == 0
          || query.mostMatches(query.query.root) == 0
          || query.greatestScore(query.query.root) < top.floor()) {
        stats.addSkippedLeaf();
        return;
      }
      long limit = firstLimit(k);
      Optional<TextQuery> nativeQuery =
          index.isPresent() && isNativeCheaper(limit) ? query.nativeQuery() : Optional.empty();
      if (nativeQuery.isEmpty()) {
        scan();
      } else {
        searchNative(index.orElseThrow(), nativeQuery.get(), limit);
      }
    }

    /** What is likely to hold k allowed documents. */
    private long firstLimit(int k) {
      double share = (double) allowed.cardinality() / query.documentCount;
      return (long) Math.min(query.documentCount, Math.ceil((k + SLACK + k / 4.0) / share));
    }

    private boolean isNativeCheaper(long limit) {
      long hits = Math.min(limit, query.mostMatches(query.query.root));
      double scan =
          allowed.cardinality()
              * (costs.scanDocument() + costs.scanToken() * query.tokensPerDocument());
      return costs.nativeQuery() + costs.nativeHit() * hits < scan;
    }

    private void searchNative(SplitIndex index, TextQuery nativeQuery, long firstLimit) {
      double exactByNative = query.exactByNative();
      for (long limit = firstLimit; ; limit *= WIDENING) {
        if (!isNativeCheaper(limit)) {
          scan();
          return;
        }
        Candidates candidates = index.search(nativeQuery, (int) limit);
        stats.addNativeRound(candidates.size());
        for (int doc : candidates.docs()) {
          offer(doc);
        }
        if (candidates.size() < limit
            || limit >= query.documentCount
            || candidates.leastScore() * exactByNative < top.floor()) {
          stats.addNativeLeaf();
          return;
        }
      }
    }

    private void offer(int doc) {
      if (allowed.contains(doc) && seen.checkedAdd(doc)) {
        double score = scorer.score(doc);
        if (score == LeafScorer.NO_MATCH) {
          throw new LoamException(
              ErrorCode.CORRUPT_OBJECT,
              "split and its token file disagree: leaf="
                  + ordinal
                  + ", doc="
                  + doc
                  + "; bring both back from a copy");
        }
        top.offer(ordinal, doc, score);
      }
    }

    /** Scores all documents that may match and were not seen yet. */
    private void scan() {
      stats.addScannedLeaf();
      DocSet docs = query.hasPostings() ? allowed.and(candidates(query)) : allowed;
      stats.addScannedDocuments(docs.cardinality());
      boolean fresh = seen.isEmpty();
      docs.forEach(
          doc -> {
            if (fresh || !seen.contains(doc)) {
              double score = scorer.score(doc);
              if (score != LeafScorer.NO_MATCH) {
                top.offer(ordinal, doc, score);
              }
            }
          });
    }

    /** All documents that can match: fewer than all where there are postings. */
    static DocSet candidates(LeafQuery query) {
      return query.hasPostings()
          ? new PostingCandidates(query).of(query.query.root)
          : DocSet.all(query.documentCount);
    }
  }

  private TextSearch() {}
}
