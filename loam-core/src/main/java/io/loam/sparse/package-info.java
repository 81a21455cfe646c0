/** Inverted files of sparse vectors. */
@NullMarked
package io.loam.sparse;

import org.jspecify.annotations.NullMarked;
