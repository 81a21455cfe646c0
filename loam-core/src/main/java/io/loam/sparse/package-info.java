/** Inverted files of sparse vectors and exact search in them; uses docs, schema and errors. */
@NullMarked
package io.loam.sparse;

import org.jspecify.annotations.NullMarked;
