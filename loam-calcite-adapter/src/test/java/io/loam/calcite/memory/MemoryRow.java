package io.loam.calcite.memory;

import org.jspecify.annotations.Nullable;

/** A document. */
record MemoryRow(long rowId, @Nullable Object[] values) {}
