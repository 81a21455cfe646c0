/** The facade: warehouses and collections. */
@NullMarked
package io.loam;

import org.jspecify.annotations.NullMarked;
