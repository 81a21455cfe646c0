package io.loam.column;

import java.util.Collection;
import java.util.function.IntConsumer;

/**
 * Finds documents of one leaf by primary key. Several documents may have the same key: then all but
 * at most one are deleted, which this index does not know. Safe for use by several threads.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class KeyIndex {
  private KeyIndex() {}

  /** Takes a document with a wanted key. */
  @FunctionalInterface
  public interface Visitor {
    void visit(Object key, int doc);
  }

  /** Over a column without nulls of kind BIGINT, VARCHAR or UUID. */
  public static KeyIndex of(Column keyColumn) {
    throw new UnsupportedOperationException();
  }

  /** The greatest doc id with this key (Long, String or UUID), or -1. */
  public int find(Object key) {
    throw new UnsupportedOperationException();
  }

  /** Visits all documents with this key in ascending order. */
  public void find(Object key, IntConsumer visitor) {
    throw new UnsupportedOperationException();
  }

  /** Visits all documents with one of these keys. */
  public void findAll(Collection<?> keys, Visitor visitor) {
    throw new UnsupportedOperationException();
  }

  /** Compares the keys of two documents as {@link io.loam.schema.Key} does. */
  public int compare(int doc, KeyIndex other, int otherDoc) {
    throw new UnsupportedOperationException();
  }

  /** Bytes of heap, the column's included. */
  public long sizeInBytes() {
    throw new UnsupportedOperationException();
  }
}
