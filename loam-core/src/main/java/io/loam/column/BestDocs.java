package io.loam.column;

import java.util.Arrays;
import org.apache.lucene.util.IntroSelector;
import org.apache.lucene.util.IntroSorter;

/**
 * Keeps the best documents of one leaf: by rank, then by an order of documents. Gathers up to twice
 * as many as are wanted, then drops the worse half, so that each document costs constant time.
 */
final class BestDocs {
  private static final int LEAST_CAPACITY = 1024;

  /** A total order of the documents of a leaf, consistent with their ranks. */
  @FunctionalInterface
  interface DocOrder {
    int compare(int doc1, int doc2);
  }

  private final int wanted;
  private final int mostCapacity;
  private final DocOrder order;
  private int[] docs;
  private long[] ranks;
  private int size;

  /** The worst of the best so far, once there are as many as wanted. */
  private int worstDoc;

  private long worstRank = Long.MAX_VALUE;
  private boolean full;

  /**
   * @param wanted at least 1
   * @param offers how many documents come at most
   */
  BestDocs(int wanted, int offers, DocOrder order) {
    this.wanted = wanted;
    this.mostCapacity = (int) Math.min(offers, Math.max(LEAST_CAPACITY, 2L * wanted));
    this.order = order;
    this.docs = new int[Math.min(mostCapacity, LEAST_CAPACITY)];
    this.ranks = new long[docs.length];
  }

  /**
   * Offers the documents {@code from} to before {@code to} whose bit in {@code words} is set.
   *
   * @param blockRanks the rank of document {@code from} at place 0, and so on
   * @param from a multiple of 64
   */
  void offer(long[] words, long[] blockRanks, int from, int to) {
    for (int start = from; start < to; start += 64) {
      long bits = words[start >>> 6];
      if (bits == 0) {
        continue;
      }
      if (full) {
        bits &= atMost(blockRanks, start - from, Math.min(64, to - start), worstRank);
      }
      for (; bits != 0; bits &= bits - 1) {
        int doc = start + Long.numberOfTrailingZeros(bits);
        offer(doc, blockRanks[doc - from]);
      }
    }
  }

  private static long atMost(long[] ranks, int from, int count, long limit) {
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= (ranks[from + i] <= limit ? 1L : 0L) << i;
    }
    return bits;
  }

  private void offer(int doc, long rank) {
    if (full && (rank > worstRank || (rank == worstRank && order.compare(doc, worstDoc) > 0))) {
      return;
    }
    if (size == docs.length) {
      makeRoom();
    }
    docs[size] = doc;
    ranks[size++] = rank;
  }

  private void makeRoom() {
    if (size < mostCapacity) {
      int capacity = (int) Math.min(mostCapacity, 2L * size);
      docs = Arrays.copyOf(docs, capacity);
      ranks = Arrays.copyOf(ranks, capacity);
      return;
    }
    dropWorst();
    full = true;
    worstDoc = docs[wanted - 1];
    worstRank = ranks[wanted - 1];
  }

  private void dropWorst() {
    new Selector().select(0, size, wanted - 1);
    size = wanted;
  }

  /** The best documents, best first. */
  int[] sorted() {
    if (size > wanted) {
      dropWorst();
    }
    new Sorter().sort(0, size);
    return Arrays.copyOf(docs, size);
  }

  private final class Selector extends IntroSelector {
    private int pivotDoc;
    private long pivotRank;

    @Override
    protected void setPivot(int i) {
      pivotDoc = docs[i];
      pivotRank = ranks[i];
    }

    @Override
    protected int comparePivot(int i) {
      return BestDocs.this.compare(pivotDoc, pivotRank, i);
    }

    @Override
    protected void swap(int i, int j) {
      swapPlaces(i, j);
    }
  }

  private final class Sorter extends IntroSorter {
    private int pivotDoc;
    private long pivotRank;

    @Override
    protected void setPivot(int i) {
      pivotDoc = docs[i];
      pivotRank = ranks[i];
    }

    @Override
    protected int comparePivot(int i) {
      return BestDocs.this.compare(pivotDoc, pivotRank, i);
    }

    @Override
    protected void swap(int i, int j) {
      swapPlaces(i, j);
    }
  }

  private int compare(int doc, long rank, int place) {
    int byRank = Long.compare(rank, ranks[place]);
    return byRank != 0 ? byRank : order.compare(doc, docs[place]);
  }

  private void swapPlaces(int i, int j) {
    int doc = docs[i];
    docs[i] = docs[j];
    docs[j] = doc;
    long rank = ranks[i];
    ranks[i] = ranks[j];
    ranks[j] = rank;
  }
}
