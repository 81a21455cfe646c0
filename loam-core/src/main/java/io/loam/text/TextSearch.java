package io.loam.text;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import java.util.List;

/** Exact BM25 search with the statistics of all live documents. */
@SuppressWarnings("DoNotCallSuggester")
public final class TextSearch {

  /**
   * The best {@code k} documents.
   *
   * @param allowed by leaf, the documents that may match, all of them live
   */
  public static TopHits search(
      TextQuery query,
      List<? extends TextLeaf> leaves,
      List<DocSet> allowed,
      int k,
      KeyOrder keys,
      TextSearchStats stats) {
    throw new UnsupportedOperationException();
  }

  /** All documents of a leaf that match, deleted ones included. */
  public static DocSet matches(TextQuery query, TextLeaf leaf) {
    throw new UnsupportedOperationException();
  }

  private TextSearch() {}
}
