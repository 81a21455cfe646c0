/** Analysis, Tantivy splits, token files and BM25; the only user of Tantivy. */
@NullMarked
package io.loam.text;

import org.jspecify.annotations.NullMarked;
