package io.loam.query;

import io.loam.schema.CollectionSchema;
import org.roaringbitmap.longlong.Roaring64Bitmap;

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
  BatchCursor query(SearchRequest request);

  /** How many rows {@link #query} would give. */
  long count(SearchRequest request);

  /** Row ids of the rows that {@link #query} would give. */
  Roaring64Bitmap rowIds(SearchRequest request);

  @Override
  void close();
}
