/**
 * Typed columns of a leaf: files, filters, sorts and the index of keys; uses docs, schema, errors
 * and Arrow.
 */
@NullMarked
package io.loam.column;

import org.jspecify.annotations.NullMarked;
