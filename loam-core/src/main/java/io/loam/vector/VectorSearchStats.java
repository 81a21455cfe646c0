package io.loam.vector;

/** What a search for vectors took. Not safe for use by several threads. */
public final class VectorSearchStats {
  private long scored;
  private int leavesByCodes;

  void scored(long documents) {
    scored += documents;
  }

  void searchedByCodes() {
    leavesByCodes++;
  }

  /** Documents whose vectors were compared. */
  public long scoredDocuments() {
    return scored;
  }

  /** Leaves in which codes chose the documents to compare. */
  public int leavesByCodes() {
    return leavesByCodes;
  }
}
