package io.loam.vector;

import java.util.List;

/**
 * Finds rows of lists whose value for one query may be among the greatest; see {@link QueryValues}.
 * Used by one thread.
 */
interface ListScan {
  /** One for another thread. */
  ListScan another();

  /** What the query has to do with a list's centroid, which counts for all rows of the list. */
  float ofCentroid(int list);

  /** How many of the best by lower bound decide, as a rule, which rows are looked at further. */
  int kept(int k);

  /** Offers the rows of a block, of which those may be left out that cannot become candidates. */
  void scan(List<ListRows> block, SegmentCandidates found);

  /** Whether no row's value lies outside its bounds, as a rule: others are estimates. */
  boolean isSure();
}
