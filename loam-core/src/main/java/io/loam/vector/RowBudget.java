package io.loam.vector;

/** How much of an index a search looks at in its next round: lists, of which some are crowded. */
final class RowBudget {
  /** Crowded lists end a search once they have so many times the rows that as many usually have. */
  private static final int CROWDED = 2;

  private static final long ALL = Long.MAX_VALUE;

  /** How many lists are looked at next. */
  private int lists;

  /** No more lists are looked at next once they have so many rows. */
  private long mostRows;

  /** More are, as long as they have fewer. */
  private long leastRows;

  private int lookedLists;
  private long lookedRows;

  /**
   * @param asked lists that were asked for, or 0 for as many as are usual
   * @param allLists of the training
   * @param rows of all of them
   * @param share of the rows that are allowed
   */
  RowBudget(int asked, int allLists, long rows, int k, double share) {
    int probes = asked > 0 ? Math.min(asked, allLists) : SegmentSet.usualProbes(allLists);
    this.lists = (int) Math.min(allLists, Math.ceil(probes / share));
    double usual = rows * (double) probes / allLists / share;
    this.leastRows = asked > 0 ? 0 : (long) Math.ceil(SegmentSet.leastRows(k) / share);
    this.mostRows = asked > 0 ? ALL : Math.max(leastRows, (long) Math.ceil(CROWDED * usual));
  }

  /** Whether one more list is wanted in a round that has these already. */
  boolean wantsMore(int listsOfRound, long rowsOfRound) {
    return (listsOfRound < lists && rowsOfRound < mostRows) || rowsOfRound < leastRows;
  }

  /** The next round looks at as much as all before it. */
  void next(int listsOfRound, long rowsOfRound) {
    lookedLists += listsOfRound;
    lookedRows += rowsOfRound;
    lists = lookedLists;
    mostRows = mostRows == ALL ? ALL : Math.max(1, lookedRows);
    leastRows = 0;
  }
}
