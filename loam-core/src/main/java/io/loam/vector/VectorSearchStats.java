package io.loam.vector;

/** What a search for vectors took. Not safe for use by several threads. */
public final class VectorSearchStats {
  private long scored;
  private int leavesByCodes;
  private long probedLists;
  private long scannedRows;
  private long uncovered;
  private int wideningRounds;

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

  void uncovered(long documents) {
    uncovered += documents;
  }

  void widened() {
    wideningRounds++;
  }

  /** Adds what another part of the same search took. */
  public void add(VectorSearchStats other) {
    scored += other.scored;
    leavesByCodes += other.leavesByCodes;
    uncovered += other.uncovered;
    wideningRounds += other.wideningRounds;
    probedLists += other.probedLists;
    scannedRows += other.scannedRows;
  }

  /** Documents of leaves that have no codes, in a search that would have used them. */
  public long uncoveredDocuments() {
    return uncovered;
  }

  /** How often more was compared after the most promising documents. */
  public int wideningRounds() {
    return wideningRounds;
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
