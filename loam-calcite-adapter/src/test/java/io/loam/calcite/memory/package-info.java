/** A warehouse of lists in memory, slow and obvious, as oracle and stand-in. */
@NullMarked
package io.loam.calcite.memory;

import org.jspecify.annotations.NullMarked;
