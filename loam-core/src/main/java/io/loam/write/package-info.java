/** What commits do to data files: fragments, splits, delete bitmaps and the folding of the tail. */
@NullMarked
package io.loam.write;

import org.jspecify.annotations.NullMarked;
