package io.loam.text;

/**
 * Documents with a bound of what they get from a part of the query. Each document that matches is
 * in one of a query's leads, and its score is no greater than the sum over those that it is in.
 */
abstract class Lead {
  /** Moves on; see {@link PostingCursor}. */
  abstract int next();

  abstract int advance(int target);

  abstract int blockEnd(int target);

  /** No document from {@code start} to {@code end} gets more from this. */
  abstract double bound(int start, int end);

  /** The document at hand gets no more from this. */
  abstract double score();
}
