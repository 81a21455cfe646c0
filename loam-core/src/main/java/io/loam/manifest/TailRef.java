package io.loam.manifest;

import org.roaringbitmap.RoaringBitmap;

/**
 * The rows of one commit that no split and no Lance fragment holds yet.
 *
 * @param file the rows as an Arrow stream, deleted ones included
 * @param rowIds of the rows in the file's order; doc id = row id − start
 * @param schemaVersion of the schema that the file was written with
 * @param deleted doc ids deleted in this version; not to be changed
 */
public record TailRef(FileRef file, RowIdRange rowIds, int schemaVersion, RoaringBitmap deleted) {

  /** Rows that are not deleted in this version. */
  public int liveRows() {
    return rowIds.count() - deleted.getCardinality();
  }

  public TailRef withDeleted(RoaringBitmap newDeleted) {
    return new TailRef(file, rowIds, schemaVersion, newDeleted);
  }
}
