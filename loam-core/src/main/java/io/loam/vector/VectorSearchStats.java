package io.loam.vector;

/** What a search for vectors took. Not safe for use by several threads. */
public final class VectorSearchStats {
  private long scored;
  private int leavesByCodes;
  private long probedLists;
  private long scannedRows;

  void scored(long documents) {
    scored += documents;
  }

  void searchedByCodes() {
    leavesByCodes++;
  }

  void probed(int rows) {
    probedLists++;
    scannedRows += rows;
  }

  /** Lists of an index that were looked at. */
  public long probedLists() {
    return probedLists;
  }

  /** Rows of these lists. */
  public long scannedRows() {
    return scannedRows;
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
