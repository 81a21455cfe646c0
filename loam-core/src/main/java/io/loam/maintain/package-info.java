/**
 * Leases, garbage collection and the pins that hold it off, and what upkeep is due and in which
 * order it is done; uses manifests and the store, no data files.
 */
@NullMarked
package io.loam.maintain;

import org.jspecify.annotations.NullMarked;
