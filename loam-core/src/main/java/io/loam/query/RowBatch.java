package io.loam.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some rows of a result, by column. */
public record RowBatch(int size, List<Values> columns) {

  /** The values of one column of a batch. */
  public interface Values {
    boolean isNull(int row);

    /**
     * A whole number: numbers as they are, booleans 0 or 1, dates in days and timestamps in
     * microseconds since 1970.
     */
    long getLong(int row);

    double getDouble(int row);

    /** The value as {@link io.loam.schema.TypeKind} gives it, or null. */
    @Nullable Object get(int row);
  }
}
