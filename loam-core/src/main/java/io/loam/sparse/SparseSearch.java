package io.loam.sparse;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Exact search by dot product. A score is the sum of the products of the query's and the document's
 * weights at the indices that both have, in 64-bit floats and in ascending order of index (as
 * unsigned numbers), from 0 on. So scores do not depend on how documents are spread over leaves.
 */
public final class SparseSearch {
  /** Documents summed at a time: their sums stay in a near cache. */
  private static final int BLOCK = 1 << 14;

  private final List<Term> terms = new ArrayList<>();
  private final double[] sums = new double[BLOCK];
  private final long[] touched = new long[BLOCK >>> 6];

  private SparseSearch() {}

  /**
   * The best k allowed documents that share an index with the query, whatever the sign of the
   * score.
   *
   * @param allowed one per leaf
   */
  public static TopHits search(
      SparseQuery query, List<SparseIndex> leaves, List<DocSet> allowed, int k, KeyOrder keys) {
    TopHits top = new TopHits(k, keys);
    SparseSearch search = new SparseSearch();
    for (int leaf = 0; leaf < leaves.size(); leaf++) {
      search.searchLeaf(query, leaves.get(leaf), leaf, allowed.get(leaf), top);
    }
    return top;
  }

  /** How many entries of lists belong to a query's indices. */
  public static long entries(SparseQuery query, List<SparseIndex> leaves) {
    long entries = 0;
    for (SparseIndex leaf : leaves) {
      for (int index : query.indices()) {
        entries += leaf.postings(index).map(Postings::size).orElse(0);
      }
    }
    return entries;
  }

  private void searchLeaf(
      SparseQuery query, SparseIndex index, int leaf, DocSet allowed, TopHits top) {
    terms.clear();
    for (int i = 0; i < query.indices().length; i++) {
      double weight = query.weights()[i];
      index.postings(query.indices()[i]).ifPresent(list -> terms.add(new Term(list, weight)));
    }
    for (int doc = allowed.next(0); doc >= 0; ) {
      int base = doc & -BLOCK;
      int end = (int) Math.min(allowed.size(), (long) base + BLOCK);
      for (Term term : terms) {
        term.addTo(sums, touched, base, end);
      }
      offerBlock(leaf, base, allowed.words(), top);
      doc = allowed.next(end);
    }
  }

  /** Offers the touched and allowed documents of a block, and clears it. */
  private void offerBlock(int leaf, int base, long[] allowed, TopHits top) {
    double floor = top.floor();
    for (int w = 0; w < touched.length; w++) {
      if (touched[w] == 0) {
        continue;
      }
      for (long bits = touched[w] & allowed[(base >>> 6) + w]; bits != 0; bits &= bits - 1) {
        int at = (w << 6) + Long.numberOfTrailingZeros(bits);
        if (sums[at] >= floor) {
          top.offer(leaf, base + at, sums[at]);
          floor = top.floor();
        }
      }
      Arrays.fill(sums, w << 6, (w + 1) << 6, 0);
      touched[w] = 0;
    }
  }

  /** One index that query and leaf have, and how far its list has been read. */
  private static final class Term {
    private final Postings list;
    private final double weight;
    private int place;

    Term(Postings list, double weight) {
      this.list = list;
      this.weight = weight;
    }

    /** Adds the products of documents {@code base} to before {@code end}. */
    void addTo(double[] sums, long[] touched, int base, int end) {
      int from = base == 0 ? 0 : list.firstPlace(place, base);
      int to = list.firstPlace(from, end);
      addProducts(list.docs(), list.weights(), from, to, weight, base, sums, touched);
      place = to;
    }

    private static void addProducts(
        IntBuffer docs,
        FloatBuffer weights,
        int from,
        int to,
        double weight,
        int base,
        double[] sums,
        long[] touched) {
      for (int i = from; i < to; i++) {
        int at = docs.get(i) - base;
        sums[at] += weight * weights.get(i);
        touched[at >>> 6] |= 1L << at;
      }
    }
  }
}
