package io.loam.query;

import java.util.List;

/**
 * Groups the rows of a request and computes a value for each group. A row of the result has the
 * group's values, then those of the calls. Without group fields there is one group, also of no
 * rows.
 *
 * @param groupFields fields of whole numbers, booleans, dates or keywords; nulls are a group of
 *     their own
 */
public record Aggregation(List<Integer> groupFields, List<Call> calls) {
  public Aggregation {
    groupFields = List.copyOf(groupFields);
    calls = List.copyOf(calls);
  }

  /** What is computed. */
  public enum Function {
    /** Rows, as a long. */
    COUNT_ROWS,
    /** Rows whose field is not null, as a long. */
    COUNT,
    /** Different values that are not null, as a long. */
    COUNT_DISTINCT,
    /**
     * The exact sum, null of none: of whole numbers as a long, or {@code OUT_OF_RANGE}; of decimals
     * as a decimal; of doubles rounded once, at the end, to the nearest double, where infinities
     * and NaNs add up as IEEE 754 has it.
     */
    SUM,
    /**
     * The exact sum of whole numbers as a decimal, which may be larger than a long; null of none.
     */
    WIDE_SUM,
    /** Least value in the order of ORDER BY, null of none. */
    MIN,
    /** Greatest value in the order of ORDER BY, null of none. */
    MAX
  }

  /**
   * A value of each group.
   *
   * @param fieldNumber 0 for {@code COUNT_ROWS}
   */
  public record Call(Function function, int fieldNumber) {}

  /** The number of rows. */
  public static final Aggregation COUNT =
      new Aggregation(List.of(), List.of(new Call(Function.COUNT_ROWS, 0)));
}
