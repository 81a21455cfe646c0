/** Exact distance kernels and decoded vectors. */
@NullMarked
package io.loam.vector;

import org.jspecify.annotations.NullMarked;
