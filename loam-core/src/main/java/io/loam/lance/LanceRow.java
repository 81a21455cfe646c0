package io.loam.lance;

import org.jspecify.annotations.Nullable;

/**
 * A document as the Lance dataset holds it. The arrays are not copied and must not be changed.
 *
 * @param key canonical primary-key bytes
 * @param source the JSON body
 * @param vectors values of vector fields: {@code float[]}, {@link io.loam.schema.SparseVector} or
 *     null, in the order of the fields they were asked or given for
 */
public record LanceRow(byte[] key, String source, @Nullable Object[] vectors) {}
