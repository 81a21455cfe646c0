/** Immutable versions of a collection and the pointers to them; uses schema and store. */
@NullMarked
package io.loam.manifest;

import org.jspecify.annotations.NullMarked;
