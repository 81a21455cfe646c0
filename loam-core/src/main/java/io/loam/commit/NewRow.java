package io.loam.commit;

import io.loam.schema.Key;
import org.jspecify.annotations.Nullable;

/**
 * A document that a commit adds.
 *
 * @param rowId reserved for it
 * @param values in the order of the schema's fields, canonical
 */
public record NewRow(long rowId, Key key, @Nullable Object[] values) {}
