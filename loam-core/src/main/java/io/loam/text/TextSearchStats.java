package io.loam.text;

import java.util.BitSet;

/** What a text search did, for EXPLAIN. Not safe for use by several threads. */
public final class TextSearchStats {
  private long scored;
  private final BitSet searched = new BitSet();
  private final BitSet scanned = new BitSet();
  private final BitSet skipped = new BitSet();

  /** Documents whose exact score was computed. */
  public long scored() {
    return scored;
  }

  /** Leaves that were searched by their postings. */
  public int searchedLeaves() {
    return searched.cardinality();
  }

  /** Leaves whose allowed documents were all scored. */
  public int scannedLeaves() {
    return scanned.cardinality();
  }

  /** Leaves that cannot hold a match or a good enough one. */
  public int skippedLeaves() {
    BitSet only = (BitSet) skipped.clone();
    only.andNot(searched);
    only.andNot(scanned);
    return only.cardinality();
  }

  void addScored(long documents) {
    scored += documents;
  }

  void addSearchedLeaf(int leaf) {
    searched.set(leaf);
  }

  void addScannedLeaf(int leaf) {
    scanned.set(leaf);
  }

  void addSkippedLeaf(int leaf) {
    skipped.set(leaf);
  }

  /** Adds what was done to another part of the documents. */
  public void add(TextSearchStats other) {
    scored += other.scored;
    searched.or(other.searched);
    scanned.or(other.scanned);
    skipped.or(other.skipped);
  }

  @Override
  public String toString() {
    return "searchedLeaves="
        + searchedLeaves()
        + ", scannedLeaves="
        + scannedLeaves()
        + ", skippedLeaves="
        + skippedLeaves()
        + ", scored="
        + scored;
  }
}
