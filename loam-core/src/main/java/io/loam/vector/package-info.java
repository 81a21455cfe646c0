/** Exact kernels and search over decoded vectors; uses docs only. */
@NullMarked
package io.loam.vector;

import org.jspecify.annotations.NullMarked;
