/** The Lance dataset of a collection; the only user of Lance and, with text, of native code. */
@NullMarked
package io.loam.lance;

import org.jspecify.annotations.NullMarked;
