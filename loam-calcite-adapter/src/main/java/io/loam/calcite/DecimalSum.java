package io.loam.calcite;

import io.loam.error.ErrorCode;
import io.loam.error.LoamException;
import io.loam.schema.SchemaBuilder;
import java.math.BigDecimal;

/**
 * A sum of decimals that says so where it has more digits than a DECIMAL. Its methods are called by
 * generated code.
 */
public final class DecimalSum {
  private DecimalSum() {}

  /** The sum of nothing. */
  public static BigDecimal init() {
    return BigDecimal.ZERO;
  }

  /** The sum with the number in it. */
  public static BigDecimal add(BigDecimal sum, BigDecimal number) {
    return sum.add(number);
  }

  /** The number, or {@code OUT_OF_RANGE}. */
  public static BigDecimal result(BigDecimal sum) {
    if (sum.precision() > SchemaBuilder.MAX_DECIMAL_DIGITS) {
      throw new LoamException(
          ErrorCode.OUT_OF_RANGE,
          "sum has more digits than a DECIMAL: sum="
              + sum.toPlainString()
              + ", most="
              + SchemaBuilder.MAX_DECIMAL_DIGITS
              + "; sum CAST(... AS DOUBLE) instead");
    }
    return sum;
  }
}
