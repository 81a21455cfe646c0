/** The documents of one version of a collection: splits and tail, opened. */
@NullMarked
package io.loam.leaf;

import org.jspecify.annotations.NullMarked;
