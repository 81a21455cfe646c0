/**
 * Looks for damage in a version of a collection; reads objects itself rather than through what is
 * in memory.
 */
@NullMarked
package io.loam.verify;

import org.jspecify.annotations.NullMarked;
