package io.loam.sparse;

import io.loam.doc.DocSet;
import io.loam.doc.KeyOrder;
import io.loam.doc.TopHits;
import io.loam.schema.SparseVector;
import java.util.List;

/** Exact search by dot product of sparse vectors. */
@SuppressWarnings("DoNotCallSuggester")
public final class SparseSearch {
  private SparseSearch() {}

  /**
   * The best k allowed documents that share an index with the query, by dot product.
   *
   * @param allowed one per leaf
   */
  public static TopHits search(
      SparseVector query, List<SparseIndex> leaves, List<DocSet> allowed, int k, KeyOrder keys) {
    throw new UnsupportedOperationException();
  }
}
