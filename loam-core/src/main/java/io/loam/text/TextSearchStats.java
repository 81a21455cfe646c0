package io.loam.text;

/** What a text search did, for EXPLAIN. Not safe for use by several threads. */
public final class TextSearchStats {
  private long scored;
  private int searchedLeaves;
  private int scannedLeaves;
  private int skippedLeaves;

  /** Documents whose exact score was computed. */
  public long scored() {
    return scored;
  }

  /** Leaves that were searched by their postings. */
  public int searchedLeaves() {
    return searchedLeaves;
  }

  /** Leaves whose allowed documents were all scored. */
  public int scannedLeaves() {
    return scannedLeaves;
  }

  /** Leaves that cannot hold a match or a good enough one. */
  public int skippedLeaves() {
    return skippedLeaves;
  }

  void addScored(long documents) {
    scored += documents;
  }

  void addSearchedLeaf() {
    searchedLeaves++;
  }

  void addScannedLeaf() {
    scannedLeaves++;
  }

  void addSkippedLeaf() {
    skippedLeaves++;
  }

  @Override
  public String toString() {
    return "searchedLeaves="
        + searchedLeaves
        + ", scannedLeaves="
        + scannedLeaves
        + ", skippedLeaves="
        + skippedLeaves
        + ", scored="
        + scored;
  }
}
