package io.loam.leaf;

import io.loam.column.Column;
import io.loam.column.KeyIndex;
import io.loam.doc.DocSet;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.TailRef;
import io.loam.sparse.SparseIndex;
import io.loam.text.DeleteBitmap;
import io.loam.text.RemovedTerms;
import io.loam.text.TokenReader;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;

/** A fragment of the tail at one version. */
public final class TailLeaf implements Leaf {
  private final TailRef ref;
  private final LeafData data;
  private final int keyField;
  private final KeyIndex keys;
  private final DeleteBitmap deletes;
  private final DocSet live;

  TailLeaf(TailRef ref, LeafData data, int keyField) {
    this.ref = ref;
    this.data = data;
    this.keyField = keyField;
    this.keys = KeyIndex.of(data.columns().get(keyField));
    this.deletes = DeleteBitmap.NONE.with(ref.deleted().toArray(), data.tokens());
    this.live = deletes.live(data.documentCount());
  }

  /** The same fragment with more documents deleted. */
  TailLeaf without(int[] docs) {
    RoaringBitmap deleted = ref.deleted().clone();
    deleted.add(docs);
    return new TailLeaf(
        new TailRef(ref.fragmentId(), ref.rowIds(), ref.textBytes(), ref.schemaVersion(), deleted),
        data,
        keyField);
  }

  /** The indexed content. */
  public LeafData data() {
    return data;
  }

  public TailRef ref() {
    return ref;
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
    return List.of(ref.rowIds());
  }

  @Override
  public long rowId(int doc) {
    return ref.rowIds().start() + doc;
  }

  @Override
  public int doc(long rowId) {
    return ref.rowIds().contains(rowId) ? (int) (rowId - ref.rowIds().start()) : -1;
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
  public Optional<TokenReader> tokens(int fieldNumber) {
    return Optional.ofNullable(data.tokens().get(fieldNumber));
  }

  @Override
  public RemovedTerms removed(int fieldNumber) {
    return deletes.removed(fieldNumber);
  }
}
