package io.loam.calcite;

import io.loam.query.ExactSum;

/**
 * A sum of doubles that does not depend on the order of rows. Its methods are called by generated
 * code.
 */
public final class DoubleSum {
  private DoubleSum() {}

  /** The sum of nothing. */
  public static ExactSum init() {
    return new ExactSum();
  }

  /** The same sum, with the number in it. */
  public static ExactSum add(ExactSum sum, double number) {
    sum.add(number);
    return sum;
  }

  public static double result(ExactSum sum) {
    return sum.value();
  }
}
