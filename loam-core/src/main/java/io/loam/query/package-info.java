/** Snapshots and search requests over all leaves of one version. */
@NullMarked
package io.loam.query;

import org.jspecify.annotations.NullMarked;
