package io.loam.column;

import java.util.Optional;

/** The typed columns of one leaf. */
@FunctionalInterface
public interface ColumnSource {
  /** The column of a field; empty where no document of the leaf has a value. */
  Optional<Column> column(int fieldNumber);
}
