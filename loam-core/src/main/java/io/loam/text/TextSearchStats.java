package io.loam.text;

/** What a text search did, for EXPLAIN. Not safe for use by several threads. */
public final class TextSearchStats {
  private long nativeCandidates;
  private long nativeRounds;
  private long scannedDocuments;
  private int nativeLeaves;
  private int scannedLeaves;
  private int skippedLeaves;

  /** Documents that native indexes proposed, repeats of wider rounds included. */
  public long nativeCandidates() {
    return nativeCandidates;
  }

  /** Queries sent to native indexes. */
  public long nativeRounds() {
    return nativeRounds;
  }

  /** Documents looked at without a native index. */
  public long scannedDocuments() {
    return scannedDocuments;
  }

  /** Leaves answered by their native index alone. */
  public int nativeLeaves() {
    return nativeLeaves;
  }

  /** Leaves whose documents were scored without, or after giving up on, a native index. */
  public int scannedLeaves() {
    return scannedLeaves;
  }

  /** Leaves that cannot hold a match or a good enough one. */
  public int skippedLeaves() {
    return skippedLeaves;
  }

  void addNativeRound(int candidates) {
    nativeRounds++;
    nativeCandidates += candidates;
  }

  void addScannedDocuments(long documents) {
    scannedDocuments += documents;
  }

  void addNativeLeaf() {
    nativeLeaves++;
  }

  void addScannedLeaf() {
    scannedLeaves++;
  }

  void addSkippedLeaf() {
    skippedLeaves++;
  }

  @Override
  public String toString() {
    return "nativeLeaves="
        + nativeLeaves
        + ", scannedLeaves="
        + scannedLeaves
        + ", skippedLeaves="
        + skippedLeaves
        + ", nativeRounds="
        + nativeRounds
        + ", nativeCandidates="
        + nativeCandidates
        + ", scannedDocuments="
        + scannedDocuments;
  }
}
