package io.loam.leaf;

import io.loam.column.Column;
import io.loam.column.KeyIndex;
import io.loam.doc.DocSet;
import io.loam.manifest.RowIdRange;
import io.loam.manifest.SplitRef;
import io.loam.sparse.SparseIndex;
import io.loam.text.DeleteBitmap;
import io.loam.text.RemovedTerms;
import io.loam.text.TokenReader;
import io.loam.vector.VectorCodes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A split at one version. */
public final class SplitLeaf implements Leaf {
  private final SplitRef ref;
  private final OpenSplit split;
  private final DeleteBitmap deletes;
  private final DocSet live;

  SplitLeaf(SplitRef ref, OpenSplit split, DeleteBitmap deletes) {
    this.ref = ref;
    this.split = split;
    this.deletes = deletes;
    this.live = deletes.live(ref.documentCount());
  }

  public DeleteBitmap deletes() {
    return deletes;
  }

  /** The same split with more documents deleted. */
  SplitLeaf without(int[] docs) {
    return new SplitLeaf(ref, split, deleting(docs));
  }

  /** The delete bitmap with more documents. */
  public DeleteBitmap deleting(int[] docs) {
    Map<Integer, TokenReader> tokens = new HashMap<>();
    ref.tokens().keySet().forEach(field -> tokens.put(field, tokens(field).orElseThrow()));
    return deletes.with(docs, tokens);
  }

  @Override
  public int documentCount() {
    return ref.documentCount();
  }

  @Override
  public DocSet live() {
    return live;
  }

  @Override
  public List<RowIdRange> rowIds() {
    return ref.rowIds();
  }

  @Override
  public long rowId(int doc) {
    return split.rowIds().rowId(doc);
  }

  @Override
  public int doc(long rowId) {
    return split.rowIds().position(rowId);
  }

  @Override
  public KeyIndex keys() {
    return split.keys();
  }

  @Override
  public Optional<Column> column(int fieldNumber) {
    return split.column(fieldNumber);
  }

  @Override
  public Optional<SparseIndex> sparse(int fieldNumber) {
    return split.sparse(fieldNumber);
  }

  @Override
  public Optional<VectorCodes> codes(int fieldNumber) {
    return split.codes(fieldNumber);
  }

  @Override
  public Optional<TokenReader> tokens(int fieldNumber) {
    return split.tokens(fieldNumber);
  }

  @Override
  public RemovedTerms removed(int fieldNumber) {
    return deletes.removed(fieldNumber);
  }
}
