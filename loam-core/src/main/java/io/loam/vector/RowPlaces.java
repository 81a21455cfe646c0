package io.loam.vector;

/** Where the documents of a version are, by row id. */
public interface RowPlaces {
  /** Looks row ids up, fastest where they ascend. Used by one thread. */
  interface Cursor {
    /** Ordinal of the leaf in the upper 32 bits, doc id in the lower; -1 where there is none. */
    long place(long rowId);
  }

  Cursor cursor();
}
