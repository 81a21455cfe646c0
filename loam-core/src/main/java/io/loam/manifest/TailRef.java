package io.loam.manifest;

import org.roaringbitmap.RoaringBitmap;

/**
 * A fragment whose rows no split covers yet.
 *
 * @param rowIds the fragment's row ids; doc id = row id − start
 * @param textBytes UTF-8 bytes of its text fields
 * @param schemaVersion of the schema that it was written with
 * @param deleted doc ids deleted in this version; not to be changed
 */
public record TailRef(
    int fragmentId, RowIdRange rowIds, long textBytes, int schemaVersion, RoaringBitmap deleted) {}
