/**
 * Leases, garbage collection and the pins that hold it off; uses manifests and the store, no data
 * files.
 */
@NullMarked
package io.loam.maintain;

import org.jspecify.annotations.NullMarked;
