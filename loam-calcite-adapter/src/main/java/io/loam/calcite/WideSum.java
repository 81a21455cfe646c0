package io.loam.calcite;

import java.math.BigDecimal;

/** A sum of whole numbers with all its digits. Its methods are called by generated code. */
public final class WideSum {
  private WideSum() {}

  /** The sum of nothing. */
  public static WholeSum init() {
    return WholeSum.init();
  }

  /** The same sum, with the number in it. */
  public static WholeSum add(WholeSum sum, long number) {
    return WholeSum.add(sum, number);
  }

  public static BigDecimal result(WholeSum sum) {
    return sum.exact();
  }
}
