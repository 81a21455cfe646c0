package io.loam.leaf;

import io.loam.column.Column;
import io.loam.column.KeyIndex;
import io.loam.doc.DocSet;
import io.loam.manifest.RowIdRange;
import io.loam.sparse.SparseIndex;
import io.loam.text.DeleteBitmap;
import io.loam.text.RemovedTerms;
import io.loam.text.TokenReader;
import io.loam.vector.VectorCodes;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/** Rows in memory at one version. */
public final class TailLeaf implements Leaf {
  private final MemoryRows rows;
  private final RoaringBitmap deleted;
  private final LeafData data;
  private final KeyIndex keys;
  private final DeleteBitmap deletes;
  private final DocSet live;

  /**
   * @param deleted doc ids; not to be changed
   */
  TailLeaf(MemoryRows rows, RoaringBitmap deleted) {
    this.rows = rows;
    this.deleted = deleted;
    this.data = rows.data();
    this.keys = KeyIndex.of(data.columns().get(rows.keyField()));
    this.deletes = DeleteBitmap.NONE.with(deleted.toArray(), data.tokens());
    this.live = deletes.live(data.documentCount());
  }

  /** The same rows with more of them deleted. */
  TailLeaf without(int[] docs) {
    RoaringBitmap more = deleted.clone();
    more.add(docs);
    return new TailLeaf(rows, more);
  }

  /** The rows, deleted ones included. */
  public MemoryRows rows() {
    return rows;
  }

  @Override
  public int documentCount() {
    return data.documentCount();
  }

  @Override
  public DocSet live() {
    return live;
  }

  @Override
  public List<RowIdRange> rowIds() {
    return List.of(rows.rowIds());
  }

  @Override
  public long rowId(int doc) {
    return rows.rowIds().start() + doc;
  }

  @Override
  public int doc(long rowId) {
    return rows.rowIds().contains(rowId) ? (int) (rowId - rows.rowIds().start()) : -1;
  }

  @Override
  public KeyIndex keys() {
    return keys;
  }

  @Override
  public Optional<Column> column(int fieldNumber) {
    return Optional.ofNullable(data.columns().get(fieldNumber));
  }

  @Override
  public Optional<SparseIndex> sparse(int fieldNumber) {
    return Optional.ofNullable(data.sparse().get(fieldNumber));
  }

  @Override
  public Optional<VectorCodes> codes(int fieldNumber) {
    return Optional.empty();
  }

  @Override
  public Optional<TokenReader> tokens(int fieldNumber) {
    return Optional.ofNullable(data.tokens().get(fieldNumber));
  }

  @Override
  public RemovedTerms removed(int fieldNumber) {
    return deletes.removed(fieldNumber);
  }
}
