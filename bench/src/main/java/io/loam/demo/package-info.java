/**
 * The demo: WordNet with real embeddings, loaded and searched through JDBC; uses no other Loam
 * package.
 */
@NullMarked
package io.loam.demo;

import org.jspecify.annotations.NullMarked;
