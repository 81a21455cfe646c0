/** Collections' schemas, field types, keys and values; uses errors only. */
@NullMarked
package io.loam.schema;

import org.jspecify.annotations.NullMarked;
