package io.loam.query;

import org.jspecify.annotations.Nullable;

/**
 * The rows of a result, a batch at a time. Used by one thread; closing it frees what it holds, also
 * halfway.
 */
public interface BatchCursor extends AutoCloseable {

  /** The next rows, at least one, or null at the end. */
  @Nullable RowBatch next();

  @Override
  void close();
}
