package io.loam.query;

import java.util.List;

/**
 * Groups the rows of a request and computes a value for each group. A row of the result has the
 * group's values, then those of the calls. Without group fields there is one group, also of no
 * rows.
 *
 * @param groupFields typed fields other than {@code VARCHAR ARRAY}; nulls are a group of their own
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
    /** Exact sum of whole numbers as a long, null of none; fails with {@code OUT_OF_RANGE}. */
    SUM,
    /** Least value, null of none. */
    MIN,
    /** Greatest value, null of none. */
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
