package io.loam.doc;

/**
 * A scored document.
 *
 * @param leaf place of the leaf among those searched
 * @param doc doc id in the leaf
 * @param score larger is better
 */
public record Hit(int leaf, int doc, double score) {}
