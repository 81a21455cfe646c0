package io.loam.column;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import java.util.List;

/** Sorts the documents of several leaves. */
@SuppressWarnings("DoNotCallSuggester")
public final class RowSort {
  private RowSort() {}

  /**
   * The documents at places {@code offset} to before {@code offset + limit} of all allowed ones in
   * the order of {@code keys}, then of {@code tie}.
   */
  public static List<DocRef> top(
      List<? extends ColumnSource> leaves,
      List<DocSet> allowed,
      List<SortKey> keys,
      KeyOrder tie,
      long offset,
      long limit) {
    throw new UnsupportedOperationException();
  }
}
