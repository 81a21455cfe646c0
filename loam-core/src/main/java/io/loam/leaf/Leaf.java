package io.loam.leaf;

import io.loam.column.ColumnSource;
import io.loam.column.KeyIndex;
import io.loam.manifest.RowIdRange;
import io.loam.sparse.SparseIndex;
import io.loam.text.TextLeaf;
import io.loam.vector.VectorCodes;
import java.util.List;
import java.util.Optional;

/**
 * The documents of one split, or of one file of the tail, at one version. Safe for use by several
 * threads.
 */
public interface Leaf extends TextLeaf, ColumnSource {
  /** In doc-id order. */
  List<RowIdRange> rowIds();

  long rowId(int doc);

  /** The row id's document, or -1. */
  int doc(long rowId);

  KeyIndex keys();

  Optional<SparseIndex> sparse(int fieldNumber);

  /** Codes of the vectors of a field, if there are any. */
  Optional<VectorCodes> codes(int fieldNumber);
}
