package io.loam.manifest;

/**
 * Row ids and fragment ids that are the caller's alone, for ever.
 *
 * @param firstRowId first of {@code rows} row ids, at least 1
 * @param firstFragmentId first of {@code fragments} fragment ids, at least 1
 */
public record IdBlock(long firstRowId, long rows, int firstFragmentId, int fragments) {}
