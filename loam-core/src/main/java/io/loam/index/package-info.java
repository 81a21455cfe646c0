/** Vector indexes: plans, the building of their parts, and commits of segments. */
@NullMarked
package io.loam.index;

import org.jspecify.annotations.NullMarked;
