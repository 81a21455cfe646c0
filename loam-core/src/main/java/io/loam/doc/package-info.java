/** Documents of one leaf by doc id: sets of them, hits and their order; uses errors only. */
@NullMarked
package io.loam.doc;

import org.jspecify.annotations.NullMarked;
