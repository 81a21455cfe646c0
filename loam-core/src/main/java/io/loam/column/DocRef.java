package io.loam.column;

/**
 * A document of one of several leaves.
 *
 * @param leaf place of the leaf among those read
 * @param doc doc id in the leaf
 */
public record DocRef(int leaf, int doc) {}
