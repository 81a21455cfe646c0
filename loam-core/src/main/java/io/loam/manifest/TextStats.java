package io.loam.manifest;

/**
 * Facts about one text field of a split, deleted documents included.
 *
 * @param totalTokens tokens over all documents
 * @param longestDocument tokens of the longest document
 */
public record TextStats(int fieldNumber, long totalTokens, int longestDocument) {}
