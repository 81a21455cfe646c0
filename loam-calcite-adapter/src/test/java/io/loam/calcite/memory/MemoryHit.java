package io.loam.calcite.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A found document, with what each leg of a hybrid search said of it. */
record MemoryHit(MemoryRow row, double score, double distance, List<Leg> legs) {
  record Leg(@Nullable Long rank, @Nullable Double score) {}
}
