/**
 * Side-by-side benchmarks of Loam, Lucene and SQLite; reaches Loam through JDBC and texts through
 * io.loam.demo.
 */
@NullMarked
package io.loam.bench;

import org.jspecify.annotations.NullMarked;
