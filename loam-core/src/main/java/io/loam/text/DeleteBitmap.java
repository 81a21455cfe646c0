package io.loam.text;

import io.loam.doc.DocSet;
import java.util.Map;
import org.roaringbitmap.RoaringBitmap;

/**
 * The deleted documents of a split, and what they took from the statistics of its text fields.
 * Immutable.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class DeleteBitmap {
  /** No document is deleted. */
  public static final DeleteBitmap NONE = new DeleteBitmap(new RoaringBitmap(), Map.of());

  private final RoaringBitmap deleted;
  private final Map<Integer, RemovedTerms> removed;

  private DeleteBitmap(RoaringBitmap deleted, Map<Integer, RemovedTerms> removed) {
    this.deleted = deleted;
    this.removed = Map.copyOf(removed);
  }

  /**
   * This set and more deleted documents; those that are deleted already change nothing.
   *
   * @param tokens the split's text fields by number, all of them
   */
  public DeleteBitmap with(int[] newlyDeleted, Map<Integer, TokenReader> tokens) {
    throw new UnsupportedOperationException();
  }

  /** Documents deleted. */
  public int cardinality() {
    return deleted.getCardinality();
  }

  public boolean contains(int doc) {
    return deleted.contains(doc);
  }

  /** The documents of a split that are not deleted. */
  public DocSet live(int documentCount) {
    throw new UnsupportedOperationException();
  }

  /** What deleted documents took from a text field's statistics. */
  public RemovedTerms removed(int fieldNumber) {
    return removed.getOrDefault(fieldNumber, RemovedTerms.NONE);
  }

  /** The body of the object that holds this, without magic, format version and checksum. */
  public byte[] encodeBody() {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads {@link #encodeBody}.
   *
   * @param path names the object in errors
   */
  public static DeleteBitmap decodeBody(byte[] body, String path) {
    throw new UnsupportedOperationException();
  }
}
