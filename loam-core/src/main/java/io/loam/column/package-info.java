/** Typed columns of a leaf: files, filters, sorts. */
@NullMarked
package io.loam.column;

import org.jspecify.annotations.NullMarked;
