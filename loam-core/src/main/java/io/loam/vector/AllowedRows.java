package io.loam.vector;

import io.loam.doc.DocSet;
import java.util.List;

/** Where allowed rows are. Used by one thread. */
final class AllowedRows {
  private final RowPlaces.Cursor places;
  private final List<DocSet> allowed;

  /**
   * @param allowed one per leaf
   */
  AllowedRows(RowPlaces places, List<DocSet> allowed) {
    this.places = places.cursor();
    this.allowed = allowed;
  }

  /** The place of a segment's row as {@link RowPlaces} gives it, -1 where it is not allowed. */
  long place(Segment segment, int row) {
    long place = places.place(segment.rowIds().get(row));
    return place >= 0 && allowed.get(leaf(place)).contains(doc(place)) ? place : -1;
  }

  static int leaf(long place) {
    return (int) (place >>> 32);
  }

  static int doc(long place) {
    return (int) place;
  }
}
