package io.loam.column;

import io.loam.doc.DocSet;

/** Evaluates predicates over columns. */
@SuppressWarnings("DoNotCallSuggester")
public final class Filters {
  private Filters() {}

  /** The documents for which the predicate is true. */
  public static DocSet evaluate(Predicate predicate, ColumnSource columns, int documentCount) {
    throw new UnsupportedOperationException();
  }
}
