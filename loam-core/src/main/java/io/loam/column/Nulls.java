package io.loam.column;

import org.jspecify.annotations.Nullable;

/** Which documents of a column miss their value. */
final class Nulls {
  private Nulls() {}

  /** A set bit for each document without a value; null if all have one. */
  static long @Nullable [] words(Column column) {
    if (column instanceof Column.Longs c) {
      return c.nulls();
    }
    if (column instanceof Column.Doubles c) {
      return c.nulls();
    }
    if (column instanceof Column.Decimals c) {
      return c.nulls();
    }
    if (column instanceof Column.Uuids c) {
      return c.nulls();
    }
    if (column instanceof Column.KeywordLists c) {
      return c.nulls();
    }
    int[] codes = ((Column.Keywords) column).codes();
    return Kernels.run(
        codes.length, (from, to, out) -> Kernels.codesInRange(codes, 0, 0, from, to, out));
  }
}
