package io.loam.query;

import io.loam.schema.CollectionSchema;

/**
 * One version of a collection, open for reading. Safe for use by several threads; {@link #close}
 * frees its files.
 */
public interface Snapshot extends AutoCloseable {
  long version();

  CollectionSchema schema();

  /** Documents of this version. */
  long liveDocuments();

  /** Runs a request; the cursor must be closed before the snapshot. */
  default BatchCursor query(SearchRequest request) {
    return query(request, new QueryProfile());
  }

  /** Runs a request and tells in {@code profile} what it did. */
  BatchCursor query(SearchRequest request, QueryProfile profile);

  /**
   * Groups the rows that {@link #query} would give, whose columns and order do not count, and
   * offset and limit only for {@link Aggregation#COUNT}. Whole numbers, booleans and dates are
   * longs as in {@link RowBatch.Values#getLong}.
   */
  RowBatch aggregate(SearchRequest request, Aggregation aggregation, QueryProfile profile);

  /** How {@link #query} would do a search for the nearest vectors, whatever its vector. */
  VectorStrategy strategy(Search.Vector search);

  /** How many rows {@link #query} would give. */
  default long count(SearchRequest request) {
    return aggregate(request, Aggregation.COUNT, new QueryProfile()).columns().get(0).getLong(0);
  }

  @Override
  void close();
}
